// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace mangata {

/// With what would be markup escaped, and with ? for what is no character of XML: control characters, bytes that are not UTF-8.
std::string escaped(std::string_view text);

}  // namespace mangata
