#include "runtime/options/options.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "profiler/report_format.h"
#include "runtime/options/environment.h"
#include "runtime/options/help.h"
#include "runtime/options/option_row.h"
#include "runtime/options/suggestion.h"
#include "runtime/output/output_name.h"

namespace mangata {
namespace {

using Words = std::vector<std::string>;

Words split(std::string_view text) {
  Words words;
  std::string error;
  EXPECT_TRUE(split_words(text, &words, &error)) << error;
  return words;
}

std::string split_error(std::string_view text) {
  Words words;
  std::string error;
  EXPECT_FALSE(split_words(text, &words, &error));
  return error;
}

struct Parsed {
  Options options;
  OptionError error;
  bool ok;
};

Parsed parse(Words arguments, const char* environment = nullptr) {
  arguments.insert(arguments.begin(), "mangata");
  std::vector<char*> argv;
  for (std::string& word : arguments) argv.push_back(word.data());
  argv.push_back(nullptr);
  Parsed parsed;
  parsed.ok = parse_options({static_cast<int>(arguments.size()), argv.data(), environment}, &parsed.options, &parsed.error);
  return parsed;
}

TEST(SplitWords, AsAShell) {
  EXPECT_EQ(split(""), Words{});
  EXPECT_EQ(split("  -a\t-b \n"), (Words{"-a", "-b"}));
  EXPECT_EQ(split("--f='a b' \"c d\"'e'f"), (Words{"--f=a b", "c def"}));
  EXPECT_EQ(split("'' \"\""), (Words{"", ""}));
  EXPECT_EQ(split(R"(a\ b \'c "d\"e\\\$\x" 'f\g')"), (Words{"a b", "'c", R"(d"e\$\x)", R"(f\g)"}));
}

TEST(SplitWords, TellsWhatIsUnfinished) {
  EXPECT_EQ(split_error("-e 'x"), "unfinished quote (')");
  EXPECT_EQ(split_error("a\"b"), "unfinished quote (\")");
  EXPECT_EQ(split_error("a \\"), "nothing follows the last '\\'");
  EXPECT_EQ(split_error("\"a\\"), "nothing follows the last '\\'");
}

TEST(Suggestion, IsCloseOrNone) {
  EXPECT_EQ(suggest_option("--profile-pahts"), "--profile-paths");
  EXPECT_EQ(suggest_option("--profile-path"), "--profile-paths");
  EXPECT_EQ(suggest_option("--polcy"), "--policy");
  EXPECT_EQ(suggest_option("--versoin"), "--version");
  EXPECT_EQ(suggest_option("--coverage"), "--profile-coverage");
  EXPECT_EQ(suggest_option("--nothing-like-it"), "");
  EXPECT_EQ(suggest_option("--x"), "");
  EXPECT_EQ(suggest_option("-x"), "");
  EXPECT_EQ(suggest_option("--" + std::string(1000, 'p')), "");
}

TEST(OutputName, HasTheProcess) {
  const std::string id = std::to_string(getpid());
  EXPECT_EQ(output_name("out.json"), "out.json");
  EXPECT_EQ(output_name("%p/out.%p.100%%"), id + "/out." + id + ".100%");
  EXPECT_TRUE(is_output_name("%%p%p"));
  EXPECT_FALSE(is_output_name("%d"));
  EXPECT_FALSE(is_output_name("100%"));
}

TEST(OptionTable, RowsAreWhole) {
  std::set<std::string_view> names;
  for (const OptionSection& section : option_sections()) {
    for (const OptionRow& row : section.rows) {
      EXPECT_TRUE(names.insert(row.name).second || row.name == "-l") << row.name;
      EXPECT_FALSE(row.help.empty()) << row.name;
      EXPECT_FALSE(row.help.ends_with('.')) << row.name;
      EXPECT_EQ(&section_of(row), &section);
      EXPECT_TRUE(row.read == nullptr || find_option(row.name) == &row) << row.name;
      EXPECT_TRUE(row.choices.empty() || !row.argument.empty()) << row.name;
    }
  }
}

TEST(OptionTable, HelpOfAllFitsATerminal) {
  const std::string text = help_text("mangata");
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = text.find('\n', start);
    EXPECT_LE(end - start, 80u) << text.substr(start, end - start);
    start = end + 1;
  }
  for (const OptionSection& section : option_sections()) EXPECT_NE(help_on(section.topic, "mangata"), "") << section.topic;
  EXPECT_NE(help_on("--profile-k", "mangata").find("innermost loops"), std::string::npos);
  EXPECT_EQ(help_on("profile-k", "mangata"), help_on("--profile-k", "mangata"));
  EXPECT_EQ(help_on("nothing", "mangata"), "");
  EXPECT_EQ(help_on("", "mangata"), "");
}

TEST(Options, EnvironmentComesFirst) {
  const Parsed parsed = parse({"--profile-top=7", "-e", "second"}, "--profile-paths=o.json --profile-top=3 -e first");
  ASSERT_TRUE(parsed.ok) << parsed.error.message;
  EXPECT_EQ(parsed.options.profile_file, "o.json");
  EXPECT_EQ(parsed.options.report.top, 7u);
  ASSERT_EQ(parsed.options.actions.size(), 2u);
  EXPECT_EQ(parsed.options.actions[0].argument, "first");
  EXPECT_EQ(parsed.options.actions[1].argument, "second");
}

TEST(Options, EnvironmentIsIgnoredWithE) {
  EXPECT_FALSE(parse({}, "--nothing").ok);
  EXPECT_TRUE(parse({"-E"}, "--nothing").ok);
  EXPECT_FALSE(parse({"s.lua", "-E"}, "--nothing").ok);
}

TEST(Options, ErrorsOfTheEnvironmentNameIt) {
  const std::pair<const char*, const char*> cases[] = {
      {"--nothing", "unrecognized option '--nothing'"},
      {"script.lua", "'script.lua' is no option"},
      {"-", "'-' is no option"},
      {"--", "unrecognized option '--'"},
      {"-e", "'-e' needs argument"},
      {"'-e", "unfinished quote (')"},
      {"-i", "'-i' goes on the command line"},
      {"--help", "'--help' goes on the command line"},
      {"--profile-k=x --profile-paths", "invalid value 'x' for option '--profile-k' (expected a number of iterations, 1 to 16)"},
      {"--profile-k=2", "'--profile-k' needs '--profile-paths'"},
      {"--profile-paths=%q", "invalid value '%q' for option '--profile-paths' (expected a file name, in which %p is the process id and %% is %)"},
  };
  for (const auto& [text, message] : cases) {
    const Parsed parsed = parse({}, text);
    EXPECT_FALSE(parsed.ok) << text;
    EXPECT_EQ(parsed.error.message, std::string("MANGATA_OPTIONS: ") + message) << text;
  }
}

TEST(Options, WithoutEffectAreRefused) {
  for (const char* option : {"--profile-format=json", "--profile-top=1", "--profile-min=1", "--profile-func=x", "--profile-file=x",
                             "--profile-weight=count", "--profile-k=2", "--profile-many=hash", "--profile-array=1", "--profile-coverage",
                             "--profile-residual=x", "--measure-loops"}) {
    const Parsed parsed = parse({option});
    EXPECT_FALSE(parsed.ok) << option;
    EXPECT_NE(parsed.error.message.find("' needs '--"), std::string::npos) << parsed.error.message;
    EXPECT_NE(parsed.error.hint.find("--help "), std::string::npos) << parsed.error.hint;
    const char* needed = std::string_view(option) == "--measure-loops" ? "--jit-log" : "--profile-paths";
    EXPECT_TRUE(parse({option, needed}).ok) << option;
  }
  EXPECT_FALSE(parse({"--perf-map", "--policy=interpreter"}).ok);
  EXPECT_FALSE(parse({"--profile-edges", "--profile-k=2"}).ok);
  EXPECT_TRUE(parse({"-ljit", "--profile-k=2", "--profile-top=3"}).ok);  // for jit.paths
  EXPECT_TRUE(parse({"--dump=plan", "--profile-k=2"}).ok);
}

TEST(Options, ValuesAreAskedForAndRefused) {
  EXPECT_EQ(parse({"--dump"}).error.message, "option '--dump' needs a value: '--dump=STAGE'");
  EXPECT_EQ(parse({"--gdb=1"}).error.message, "option '--gdb' takes no value");
  EXPECT_EQ(parse({"--profile-paths="}).error.message, "'--profile-paths=' needs a file name");
  EXPECT_EQ(parse({"--dump=x"}).error.message,
            "invalid value 'x' for option '--dump' (expected tokens, bytecode, cfg, numbering, plan, asm, region, ir or passes)");
  EXPECT_EQ(parse({"--max-memory=99999999999G"}).error.message,
            "invalid value '99999999999G' for option '--max-memory' (expected bytes, or a number with K, M or G)");
}

TEST(Options, FormatsFollowFileNames) {
  EXPECT_EQ(parse({"--profile-paths=a.json"}).options.report.format->name, "json");
  EXPECT_EQ(parse({"--profile-paths=a.txt"}).options.report.format->name, "text");
  EXPECT_EQ(parse({"--profile-paths"}).options.report.format->name, "text");
  EXPECT_EQ(parse({"--profile-paths=a.json", "--profile-format=text"}).options.report.format->name, "text");
}

}  // namespace
}  // namespace mangata
