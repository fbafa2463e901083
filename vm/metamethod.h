// The events for which a metatable may have a metamethod (Lua 5.4 manual §2.4): vm/metamethods.def.
#pragma once

#include <cstdint>

namespace mangata {

enum class Metamethod : uint8_t {
#define METAMETHOD(name, text) name,
#include "vm/metamethods.def"
};
inline constexpr int kMetamethodCount = 0
#define METAMETHOD(name, text) +1
#include "vm/metamethods.def"
    ;

}  // namespace mangata
