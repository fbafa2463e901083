// What the table of options says of itself: --help, the manual page, completions of shells.
#pragma once

#include <string>
#include <string_view>

namespace mangata {

/// The text of --help.
std::string help_text(std::string_view program_name);

/// The text of --help TOPIC: a topic of a section, or an option with or without its dashes. Empty: there is no help on it.
std::string help_on(std::string_view topic, std::string_view program_name);

/// "lua, mangata, jit, ..."
std::string help_topics();

/// The manual page mangata(1), in the macros of man(7).
std::string man_page();

/// The file that makes a shell complete the options: of bash, zsh or fish. Empty: the shell is another one.
std::string completions(std::string_view shell);

/// Appends `text` in lines of 80 columns; lines of it that begin with a blank are kept as they are.
void append_paragraphs(std::string* out, std::string_view text);

}  // namespace mangata
