// --help man: the table of options as a manual page, in the macros of man(7).
#include "runtime/options/help.h"
#include "runtime/options/option_row.h"

namespace mangata {
namespace {

/// Text that troff prints as it is. `starts_line`: a dot or quote in front would be a request.
std::string escape(std::string_view text, bool starts_line = true) {
  std::string out;
  if (starts_line && (text.starts_with('.') || text.starts_with('\''))) out = "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

/// A term and what it means. The term is in bold.
std::string item(std::string_view term, std::string_view meaning) {
  return ".TP\n\\fB" + escape(term, false) + "\\fR\n" + escape(meaning) + "\n";
}

/// Paragraphs; lines that begin with a blank are examples.
std::string paragraphs(std::string_view text) {
  std::string out;
  bool in_example = false;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(' ') != in_example) {
      in_example = !in_example;
      out += in_example ? ".nf\n" : ".fi\n.PP\n";
    }
    out += escape(line) + "\n";
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return in_example ? out + ".fi\n" : out;
}

std::string heading(std::string_view title) {
  std::string text = ".SH ";
  for (const char c : title) text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text + "\n";
}

std::string section_text(const OptionSection& section) {
  std::string text = heading(section.title) + paragraphs(section.introduction);
  for (const OptionRow& row : section.rows) {
    text += item(std::string(row.name) + std::string(row.argument), row.help);
    if (row.values == nullptr) continue;
    text += ".RS\n";
    for (const OptionValue& value : row.values()) text += item(value.form, value.description);
    text += ".RE\n";
  }
  return text;
}

}  // namespace

std::string man_page() {
  std::string text = ".TH MANGATA 1 \"\" \"Mangata " MANGATA_VERSION "\" \"User Commands\"\n";
  text += heading("Name") + "mangata \\- Lua 5.4 interpreter and compiler that tells which paths a program takes\n";
  text += heading("Synopsis") + ".B mangata\n[\\fIoptions\\fR] [\\fIscript\\fR [\\fIargs\\fR]]\n";
  text += heading("Description") +
          escape(
              "mangata runs Lua 5.4 scripts as lua5.4(1) does, in an interpreter and as machine code. On request it counts the exact "
              "paths that the program takes, and reports them in the terms of the source. Without a script it runs standard input, or "
              "starts an interactive session on a terminal.") +
          "\n";
  for (const OptionSection& section : option_sections()) text += section_text(section);
  text += heading("Environment");
  for (const EnvironmentVariable& variable : environment_variables()) text += item(variable.name, std::string(variable.help) + ".");
  text += heading("Exit status") +
          escape(
              "0, or 1 when the script could not be loaded or raised an error, or when something that options asked for could not be "
              "written; or what the script gave to os.exit.") +
          "\n";
  text += heading("Signals") +
          escape(
              "SIGINT raises an error in the script. When a profile is to be written, a second SIGINT, SIGTERM, SIGHUP and SIGPIPE write "
              "it before they end the process, and SIGUSR1 writes what has been counted so far. Signals that are ignored stay so.") +
          "\n";
  return text + heading("See also") + ".BR lua5.4 (1),\n.BR perf (1)\n";
}

}  // namespace mangata
