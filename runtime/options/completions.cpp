// --help bash, zsh or fish: the table of options as a file that makes the shell complete them.
#include <algorithm>

#include "runtime/options/help.h"
#include "runtime/options/option_row.h"

namespace mangata {
namespace {

/// A value that is a file.
bool is_file(const OptionValue& value) { return value.form.starts_with("./"); }

/// The words that an option's value can begin with: those of the table, and of policies their names.
std::string words_of(const OptionRow& row) {
  if (row.values == nullptr) return std::string(row.choices);
  std::string words;
  for (const OptionValue& value : row.values()) {
    if (!is_file(value)) words += (words.empty() ? "" : " ") + value.form.substr(0, value.form.find_first_of(":["));
  }
  return words;
}

bool takes_file(const OptionRow& row) {
  if (row.argument.find("FILE") != std::string_view::npos) return true;
  if (row.values == nullptr) return false;
  const std::vector<OptionValue> values = row.values();
  return std::any_of(values.begin(), values.end(), is_file);
}

/// Calls visit for each option once; -l has two forms. The rows "-" and "--" are left out.
template <class Visit>
void for_each_option(Visit visit) {
  const OptionRow* last = nullptr;
  for (const OptionSection& section : option_sections()) {
    for (const OptionRow& row : section.rows) {
      if (row.read != nullptr && (last == nullptr || last->name != row.name)) visit(row);
      last = &row;
    }
  }
}

/// In single quotes, as all three shells read it, if `text` has none.
std::string quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string for_bash() {
  std::string options, cases;
  for_each_option([&](const OptionRow& row) {
    const bool wants_value = row.argument.starts_with('=');
    options += (options.empty() ? "" : " ") + std::string(row.name) + (wants_value ? "=" : "");
    const std::string words = words_of(row);
    if (words.empty() && !takes_file(row)) return;
    cases += "    " + std::string(row.name) + ") ";
    if (!words.empty()) cases += "words=" + quote(words);
    if (!words.empty() && takes_file(row)) cases += "; ";
    if (takes_file(row)) cases += "files=1";
    cases += " ;;\n";
  });
  return R"(# Completion of mangata's options for bash, made by mangata --help bash.
_mangata() {
  local line=${COMP_LINE:0:COMP_POINT} current name value words= files=
  current=${line##*[[:space:]]}
  COMPREPLY=()
  if [[ $current == --*=* ]]; then
    name=${current%%=*} value=${current#*=}
    case $name in
)" + cases +
         R"(    esac
    [[ $words ]] && mapfile -t COMPREPLY < <(compgen -W "$words" -- "$value")
    if [[ $files ]]; then
      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$value")
      compopt -o filenames
    fi
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W ")" +
         options +
         R"(" -- "$current")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    compopt -o filenames
  fi
}
complete -F _mangata mangata
)";
}

/// Text in an argument of zsh's _arguments, where brackets and colons mean something.
std::string escape_for_zsh(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string for_zsh() {
  std::string text = "#compdef mangata\n# Completion of mangata's options for zsh, made by mangata --help zsh.\n_arguments";
  for_each_option([&](const OptionRow& row) {
    std::string spec(row.name);
    if (row.argument.starts_with('=')) spec += "=";
    if (row.argument.starts_with("[=")) spec += "=-";
    spec += "[" + escape_for_zsh(row.help) + "]";
    if (!row.argument.empty()) {
      const std::string words = words_of(row);
      spec += std::string(row.argument.starts_with("[=") || row.argument.starts_with(" [") ? "::" : ":") + "value:";
      if (!words.empty()) spec += "(" + words + ")";
      if (words.empty() && takes_file(row)) spec += "_files";
    }
    text += " \\\n  " + quote(spec);
  });
  return text + " \\\n  '*:script:_files'\n";
}

std::string for_fish() {
  std::string text = "# Completion of mangata's options for fish, made by mangata --help fish.\n";
  for_each_option([&](const OptionRow& row) {
    text += "complete -c mangata ";
    text += row.name.starts_with("--") ? "-l " + std::string(row.name.substr(2)) : "-s " + std::string(row.name.substr(1));
    if (row.argument.starts_with('=') || (row.argument.starts_with(' ') && !row.argument.starts_with(" ["))) text += " -r";
    if (!row.argument.empty() && !takes_file(row)) text += " -f";
    if (const std::string words = words_of(row); !words.empty()) text += " -a " + quote(words);
    text += " -d " + quote(row.help) + "\n";
  });
  return text;
}

}  // namespace

std::string completions(std::string_view shell) {
  if (shell == "bash") return for_bash();
  if (shell == "zsh") return for_zsh();
  if (shell == "fish") return for_fish();
  return {};
}

}  // namespace mangata
