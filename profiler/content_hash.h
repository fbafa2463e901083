// Structural identities of functions: equal code has equal hashes, in every process and wherever it stands in its file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mangata {

struct Proto;

/// Of bytecode, constants (by content) and upvalues; not of names, lines and nested functions.
uint64_t content_hash(const Proto& proto);

/// Of the content and of where it stands: prototypes with the same key are the same function of the same source.
uint64_t place_hash(const Proto& proto, uint64_t content);

}  // namespace mangata
