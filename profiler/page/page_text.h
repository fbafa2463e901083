// The page without data: page.html with the style and the scripts of this folder, put together when Mangata is built (embed_page.cmake).
#pragma once

#include <string>

namespace mangata {

/// `{{title}}` and `{{data}}` stand where the title (markup escaped) and the data (JSON without `<`) go.
std::string page_text();

}  // namespace mangata
