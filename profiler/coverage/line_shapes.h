// The shapes of lines that LuaCov does not count. A shape is a line without comments and parameters, in which x is a name, 0 a number,
// '' a string (each ' one end of it), and n, t, f are nil, true and false.
#pragma once

#include <string_view>

namespace mangata::coverage {

bool is_never_counted(std::string_view shape);
bool is_counted_if_hit(std::string_view shape);

/// Whether a shape, apart from blanks around it, fits a form: ~ is a blank or nothing, <abc> any one of these characters, <.> any
/// character at all; a + behind > is one or more, a * any number, a ? one or none. All else is itself.
bool fits_form(std::string_view shape, std::string_view form);

}  // namespace mangata::coverage
