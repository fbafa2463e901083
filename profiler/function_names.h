// Names for functions, found in the code that makes them. Lua functions have no names of their own; the variable or field
// that a function is stored into right after it is made is what its author calls it.
#pragma once

#include <string>
#include <vector>

namespace mangata {

struct Proto;

/// What `parent` calls each of its nested functions: "f" (a variable), "M.f", or "M:f" when its first parameter is self;
/// empty when it has no name. Costs time in proportion to the size of `parent`.
std::vector<std::string> names_of_nested(const Proto& parent);

}  // namespace mangata
