// --help: the table of options for people.
#include "runtime/options/help.h"

#include <algorithm>

#include "runtime/options/option_row.h"

namespace mangata {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kMostFormWidth = 24;

/// Appends the words of `text` from column `at` on, in lines that begin at column `indent`.
void append_wrapped(std::string* out, std::string_view text, size_t at, size_t indent) {
  size_t column = at;
  bool is_first = true;
  for_each_word(text, [&](std::string_view word) {
    if (!is_first && column + 1 + word.size() > kWidth) {
      *out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      *out += " ";
      ++column;
    }
    *out += word;
    column += word.size();
    is_first = false;
  });
  *out += "\n";
}

/// "  --profile-top=N   show ...": a form and its description, which begins at column `column`.
void append_item(std::string* out, size_t indent, std::string_view form, std::string_view description, size_t column) {
  std::string line = std::string(indent, ' ') + std::string(form);
  if (line.size() + 2 > column) {
    *out += line + "\n";
    line.clear();
  }
  line.resize(column, ' ');
  *out += line;
  append_wrapped(out, description, column, column);
}

std::string form_of(const OptionRow& row) { return std::string(row.name) + std::string(row.argument); }

void append_row(std::string* out, const OptionRow& row, size_t column) {
  append_item(out, 2, form_of(row), row.help, column);
  if (row.values == nullptr) return;
  for (const OptionValue& value : row.values()) append_item(out, 6, value.form, value.description, column + 4);
}

/// Where descriptions of a section begin.
size_t column_of(const OptionSection& section) {
  size_t widest = 0;
  for (const OptionRow& row : section.rows) {
    const size_t width = row.name.size() + row.argument.size();
    if (width <= kMostFormWidth) widest = std::max(widest, width);
  }
  return 2 + widest + 3;
}

void append_section(std::string* out, const OptionSection& section, bool with_introduction) {
  *out += std::string(section.title) + ":\n";
  if (with_introduction && !section.introduction.empty()) append_paragraphs(out, section.introduction), *out += "\n";
  for (const OptionRow& row : section.rows) append_row(out, row, column_of(section));
}

std::string usage(std::string_view program_name) { return "usage: " + std::string(program_name) + " [options] [script [args]]\n\n"; }

}  // namespace

void append_paragraphs(std::string* out, std::string_view text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(' ')) {
      *out += std::string(line) + "\n";
    } else {
      append_wrapped(out, line, 0, 0);
    }
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::string help_text(std::string_view program_name) {
  std::string text = usage(program_name);
  for (const OptionSection& section : option_sections()) {
    append_section(&text, section, false);
    text += "\n";
  }
  text += "Environment:\n";
  for (const EnvironmentVariable& variable : environment_variables()) append_item(&text, 2, variable.name, variable.help, 20);
  text += "\n";
  append_wrapped(&text, "'" + std::string(program_name) + " --help TOPIC' shows one part, with examples: " + help_topics() + ".", 0, 0);
  return text;
}

std::string help_topics() {
  std::string topics;
  for (const OptionSection& section : option_sections()) topics += (topics.empty() ? "" : ", ") + std::string(section.topic);
  return topics;
}

std::string help_on(std::string_view topic, std::string_view program_name) {
  for (const OptionSection& section : option_sections()) {
    if (section.topic != topic) continue;
    std::string text = usage(program_name);
    append_section(&text, section, true);
    return text;
  }
  std::string text;
  for (const OptionSection& section : option_sections()) {
    for (const OptionRow& row : section.rows) {
      if (row.name == topic || (topic.size() > 1 && row.name == "--" + std::string(topic))) append_row(&text, row, column_of(section));
    }
  }
  return text;
}

}  // namespace mangata
