// What the table of options consists of.
//
// [DESIGN] The command line is one table (options/table.cpp): the parser, --help, the manual page and the completions of shells derive
// from it, so that a further option is one row. A row reads its value into Options, and names what it needs of the other options to
// have any effect; an option without effect is an error. Read next: options/table.cpp, then options.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mangata {

struct OptionRow;
struct Options;

/// One possible value of an option, for --help and completions: "counter:entry=N,loop=M".
struct OptionValue {
  std::string form;  ///< as it is written
  std::string description;  ///< for --help
};

/// An option as it was given, and where its value goes. Its functions are false when the value is wrong; *error says why.
struct OptionReading {
  const OptionRow& row;
  std::string_view value;  ///< behind the `=`
  bool has_value;  ///< false: an option with an optional one came without it
  Options& options;
  std::string* error;  ///< why the value is wrong

  /// A number of at least 0.
  bool number(double* out, std::string_view expected) const;
  /// 0 to 100; a percent sign may follow.
  bool percentage(double* out) const;
  /// A whole number of at least `least` and at most `most`.
  bool whole(uint64_t* out, uint64_t least, uint64_t most, std::string_view expected) const;
  /// Bytes, with an optional suffix K, M or G (powers of 1024); not 0.
  bool size(size_t* out) const;
  /// A file name, which is not empty.
  bool file(std::string* out) const;
  /// The same, of a file to be written: it may have %p and %%.
  bool output_file(std::string* out) const;
  /// The position of the value among the row's choices.
  std::optional<size_t> choice() const;
  bool wrong(std::string_view expected) const;
  /// The value is none of the row's choices or values.
  bool wrong_word() const;
};

/// What an option needs of the others.
struct OptionNeed {
  bool (*is_met)(const Options&);  ///< false: the option is an error
  std::string_view what;  ///< "'--profile-paths'": completes "'--profile-coverage' needs "
};

struct OptionRow {
  std::string_view name;           ///< "-e", "--profile-top"
  std::string_view argument = {};  ///< " stat", "=N", "[=FILE]"; empty: it takes none
  std::string_view help;           ///< lower case, no full stop
  /// Null: for the rows of "--" and "-", which end the options, and of another form of the row before.
  bool (*read)(const OptionReading& in) = nullptr;
  const OptionNeed* need = nullptr;  ///< null: it always has an effect
  std::string_view choices = {};     ///< all its values, if they are words, separated by blanks
  std::vector<OptionValue> (*values)() = nullptr;  ///< its values, if they are no mere words
  bool is_of_this_run = false;       ///< it makes no sense in MANGATA_OPTIONS
};

/// The rows of one heading of --help.
struct OptionSection {
  std::string_view topic;         ///< of --help TOPIC
  std::string_view title;  ///< of --help
  std::string_view introduction;  ///< what --help TOPIC and the manual page say before the options
  std::span<const OptionRow> rows;
};

std::span<const OptionSection> option_sections();

struct EnvironmentVariable {
  std::string_view name;  ///< "MANGATA_OPTIONS"
  std::string_view help;  ///< what it does, a line
};
std::span<const EnvironmentVariable> environment_variables();

/// Null: there is none of this name, such as "--profile-top".
const OptionRow* find_option(std::string_view name);
const OptionSection& section_of(const OptionRow& row);

/// Calls visit(word) for each word of a list like OptionRow::choices.
template <class Visit>
void for_each_word(std::string_view words, Visit visit) {
  while (!words.empty()) {
    const size_t end = words.find(' ');
    visit(words.substr(0, end));
    words = end == std::string_view::npos ? std::string_view() : words.substr(end + 1);
  }
}

}  // namespace mangata
