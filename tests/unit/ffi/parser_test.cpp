#include "runtime/ffi/parser.h"

#include <gtest/gtest.h>

#include <random>

namespace mangata::ffi {
namespace {

/// Types and names of one machine.
struct Declarations {
  Types types;
  Names names{types};

  std::string declare(std::string_view source) {
    Parser parser(types, names, source);
    return parser.declarations().ok() ? "" : parser.problem();
  }
  /// The name of the type, or the error.
  std::string type(std::string_view source) {
    Parser parser(types, names, source);
    const Result<TypeId> found = parser.type();
    return found.ok() ? types.name_of(found.value()) : "error: " + parser.problem();
  }
};

TEST(FfiParser, NamesOfTypes) {
  Declarations d;
  const std::pair<const char*, const char*> kTypes[] = {
      {"int", "int"},
      {"long unsigned int", "uint64_t"},
      {"signed char", "char"},
      {"const char *", "const char *"},
      {"char *const", "char *const"},
      {"int * const volatile * x[3]", "error: '<eof>' expected near 'x'"},
      {"int *const volatile *[3]", "int *const volatile *[3]"},
      {"int (*)[3]", "int (*)[3]"},
      {"int *[3]", "int *[3]"},
      {"int [2][3]", "int [2][3]"},
      {"int (*(*)(int))[3]", "int (*(*)())[3]"},
      {"void (*[4])(void)", "void (*[4])()"},
      {"int (*(*)(void))(double)", "int (*(*)())()"},
      {"struct {int x;} &", "struct 0 &"},
      {"int (int)", "int ()"},
      {"long double", "long double"},
      {"unsigned", "unsigned int"},
      {"int [?]", "int [?]"},
      {"int []", "int []"},
  };
  for (const auto& [source, name] : kTypes) EXPECT_EQ(d.type(source), name) << source;
}

TEST(FfiParser, EqualTypesHaveEqualNumbers) {
  Declarations d;
  ASSERT_EQ(d.declare("typedef const int *A; typedef int const *B; typedef int (*F)(int, char *); typedef "
                      "int (*G)(int x, char y[]);"),
            "");
  EXPECT_EQ(d.names.find("A")->type, d.names.find("B")->type);
  EXPECT_EQ(d.names.find("F")->type, d.names.find("G")->type);
}

TEST(FfiParser, ConstantExpressions) {
  Declarations d;
  const std::pair<const char*, int64_t> kConstants[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"7 / 2", 3},
      {"-7 / 2", -3},
      {"-7 % 3", -1},
      {"1 << 4 | 3", 19},
      {"~0", -1},
      {"!5", 0},
      {"3 > 2 ? 10 : 20", 10},
      {"sizeof(int)", 4},
      {"sizeof(int[3])", 12},
      {"sizeof 1LL", 8},
      {"'a'", 97},
      {"'\\n'", 10},
      {"0x10 + 010", 24},
      {"0xffffffff", 4294967295},
      {"-1 < 1u", 0},
      {"-1 < 1", 1},
      {"1 ? 2 ? 3 : 4 : 5", 3},
      {"(char)300", 44},
      {"1 == 1 && 2 != 2", 0},
      {"0xffffffffffffffff > 0", 1},
      {"1LL << 40", int64_t{1} << 40},
      {"2147483647 + 1", -2147483648LL},
      {"sizeof(struct { char c; double d; })", 16},
      {"0b101", 5},
      {"__alignof__(double)", 8},
  };
  for (const auto& [source, value] : kConstants) {
    Declarations each;
    ASSERT_EQ(each.declare(std::string("static const long long x = ") + source + ";"), "") << source;
    EXPECT_EQ(each.names.find("x")->value, value) << source;
  }
}

TEST(FfiParser, ErrorsNameWhatIsWrong) {
  const std::pair<const char*, const char*> kErrors[] = {
      {"foo", "declaration specifier expected near 'foo'"},
      {"int f(int;", "')' expected near ';' in the declaration of 'f'"},
      {"int a;\nint b;\nint f(int x[;", "unexpected symbol near ';' at line 3 in the declaration of 'f'"},
      {"struct s { int x; int x; };", "duplicate member 'x' in the declaration of 'struct s'"},
      {"struct s { struct s x; };",
       "size of C type is unknown or too large (member 'x') in the declaration of 'struct s'"},
      {"struct s { int x : 33; };", "invalid width of bit-field 'x' in the declaration of 'struct s'"},
      {"struct s { float x : 3; };", "invalid type of bit-field 'x' in the declaration of 'struct s'"},
      {"struct s {int x;}; struct s {int y;};", "attempt to redefine 's'"},
      {"struct s {int x;}; union s *p;", "attempt to redefine 's'"},
      {"enum e { A, A };", ""},
      {"enum e { A = 1/0 };", "division by zero in the declaration of 'enum e'"},
      {"int f()();", "invalid C type in the declaration of 'f'"},
      {"int f()[3];", "invalid C type in the declaration of 'f'"},
      {"void x[3];", "size of C type is unknown or too large in the declaration of 'x'"},
      {"int x[3000000000];", "size of C type is unknown or too large in the declaration of 'x'"},
      {"int /* x", "unfinished comment near '<eof>'"},
      {"char x = 'ab';", "malformed character constant near ''a'"},
      {"int x __asm__(5);", "'<string>' expected near '5' in the declaration of 'x'"},
      {"unsigned double x;", "invalid combination of type specifiers near 'x'"},
      {"typedef int T; typedef long T;", "attempt to redefine 'T' in the declaration of 'T'"},
      {"int x", ""},
  };
  for (const auto& [source, problem] : kErrors) {
    Declarations d;
    const std::string found = d.declare(source);
    if (std::string_view(problem).empty()) continue;
    EXPECT_TRUE(found.starts_with(problem)) << source << "\n  " << found << "\n  " << problem;
  }
}

TEST(FfiParser, NestingIsLimited) {
  const auto many = [](const char* before, const char* text, const char* after) {
    std::string source = before;
    for (int i = 0; i < 100000; ++i) source += text;
    return source + after;
  };
  for (const std::string& source :
       {many("int ", "(", "x"), many("int ", "*", "x;"), many("int x", "[1]", ";"), many("int x[", "(", ""),
        many("int x[", "-", "1];"), many("", "struct {", ""), many("int f(", "int (*)(", ""),
        many("int x[1", "?1:1", "];"), many("int x", "(int)", ";"), many("int x[", "sizeof ", "1];"),
        many("int ", "__attribute__((x)) ", "x;"), many("int x[1", "+1", "];")}) {
    Declarations d;
    (void)d.declare(source);
  }
}

/// Changes a few places of a good source: the parser must either take it or say what is wrong.
TEST(FfiParser, AnyInputIsReadOrRefused) {
  const std::string kGood =
      "typedef struct node { int value; struct node *next; union { float f; unsigned bits : 7, : 0, more : "
      "3; }; char name[2 * 8]; } node;\n"
      "enum color { RED = 1 << 2, GREEN, BLUE = 'b' + sizeof(node) };\n"
      "int printf(const char *format, ...) __asm__(\"printf\") __attribute__((__format__(printf, 1, 2)));\n"
      "static const long long big = 0xffffULL * 3 % 7 > 2 ? ~5 : -1; // comment\n"
      "#pragma pack(push, 1)\nstruct packed { char a; double b; } __attribute__((aligned(4)));\n#pragma "
      "pack(pop)\n"
      "extern void (*signal(int sig, void (*handler)(int)))(int); int (*table[3])(struct node *, enum "
      "color), *p, **q; /* end */\n"
      "struct flexible { int n; double tail[?]; }; typedef int array_of[3][4]; long double ld(const volatile "
      "void *restrict p, _Bool b);\n";
  {
    Declarations d;
    ASSERT_EQ(d.declare(kGood), "");
  }
  std::mt19937 random(1);
  const auto below = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  const std::string kCharacters = "(){}[];,*&:?=<>!~+-/%|^.#$\"'\\ \n019axL_";
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string source = kGood;
    for (size_t change = 0, count = 1 + below(4); change < count && !source.empty(); ++change) {
      const size_t at = below(source.size());
      switch (below(5)) {
        case 0:
          source.erase(at, 1 + below(12));
          break;
        case 1:
          source.insert(at, 1, kCharacters[below(kCharacters.size())]);
          break;
        case 2:
          source[at] = static_cast<char>(below(256));
          break;
        case 3:
          source.insert(at, source.substr(below(source.size()), 1 + below(30)));
          break;
        default:
          source.resize(at + 1);
          break;
      }
    }
    Declarations d;
    Parser parser(d.types, d.names, source);
    const bool is_good = parser.declarations().ok();
    EXPECT_EQ(is_good, parser.problem().empty()) << source;
    refused += !is_good;
  }
  EXPECT_GT(refused, 10000);
}

}  // namespace
}  // namespace mangata::ffi
