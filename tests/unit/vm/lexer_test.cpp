// vm/frontend/lexer: tokens, positions, values, and messages about malformed ones.
#include "vm/frontend/lexer.h"

#include <gtest/gtest.h>

#include "vm/frontend/compile.h"

namespace mangata {
namespace {

std::string kinds(std::string_view text) {
  Vm vm;
  Lexer lexer(vm, text, "=input");
  std::string out;
  for (lexer.advance(); lexer.kind() != TokenKind::EndOfText; lexer.advance()) {
    if (!out.empty()) out.push_back(' ');
    out.append(token_kind_name(lexer.kind()));
  }
  return lexer.failed() ? "error" : out;
}

/// The message about the first malformed token.
std::string error_of(std::string_view text) {
  Vm vm;
  std::string ignored;
  if (dump_tokens(vm, text, "=input", ignored).ok()) return "no error";
  return std::string(vm.error.as_string()->view());
}

/// The contents of the only string in `text`.
std::string string_of(std::string_view text) {
  Vm vm;
  Lexer lexer(vm, text, "=input");
  lexer.advance();
  return lexer.kind() == TokenKind::String ? std::string(lexer.token().string->view()) : "no string";
}

Value number_of(std::string_view text) {
  Vm vm;
  Lexer lexer(vm, text, "=input");
  lexer.advance();
  if (lexer.kind() == TokenKind::Integer) return Value::integer(lexer.token().integer);
  if (lexer.kind() == TokenKind::Float) return Value::number(lexer.token().number);
  return Value::nil();
}

TEST(Lexer, EverySymbolIsTheLongestOneThatFits) {
  EXPECT_EQ(kinds("+ - * / // % ^ #"), "Plus Minus Star Slash DoubleSlash Percent Caret Hash");
  EXPECT_EQ(kinds("<<= >>= ~== === ::: .... ..."),
            "ShiftLeft Assign ShiftRight Assign NotEqual Assign Equal Assign DoubleColon Colon Ellipsis Dot "
            "Ellipsis");
  EXPECT_EQ(kinds("&~|"), "Ampersand Tilde Pipe");
  EXPECT_EQ(kinds("$"), "Unknown");
}

TEST(Lexer, ReservedWordsAreNotNames) {
  EXPECT_EQ(kinds("and break do else elseif end false for function goto if in"),
            "And Break Do Else Elseif End False For Function Goto If In");
  EXPECT_EQ(kinds("local nil not or repeat return then true until while"),
            "Local Nil Not Or Repeat Return Then True Until While");
  EXPECT_EQ(kinds("And ands an re returns _end e1 nol tru functio"),
            "Name Name Name Name Name Name Name Name Name Name");
}

TEST(Lexer, CommentsAndLineBreaksAreBlank) {
  EXPECT_EQ(kinds("a--x\nb--[[x\n]]c--[==[ ]] ]=] ]==]d--[=x\ne--"), "Name Name Name Name Name");
  Vm vm;
  Lexer lexer(vm, "a\r\nb\n\rc\n\nd\r\re", "=input");
  for (const int line : {1, 2, 3, 5, 7}) {
    lexer.advance();
    EXPECT_EQ(lexer.line(), line);
  }
}

TEST(Lexer, Numerals) {
  EXPECT_TRUE(number_of("123456789012345678").is_identical(Value::integer(123456789012345678)));
  EXPECT_TRUE(number_of("9223372036854775807").is_identical(Value::integer(INT64_MAX)));
  EXPECT_TRUE(number_of("9223372036854775808").is_identical(Value::number(9223372036854775808.0)));
  EXPECT_TRUE(number_of("0xffffffffffffffff").is_identical(Value::integer(-1)));
  EXPECT_TRUE(number_of("0x1p4").is_identical(Value::number(16)));
  EXPECT_TRUE(number_of("0xA.8").is_identical(Value::number(10.5)));
  EXPECT_TRUE(number_of(".5e+1").is_identical(Value::number(5)));
  EXPECT_TRUE(number_of("3.").is_identical(Value::number(3)));
  EXPECT_EQ(kinds("3-4 0xe+1 1..2"), "error");
  EXPECT_EQ(kinds("3-4 0xe+1"), "Integer Minus Integer Integer Plus Integer");
}

TEST(Lexer, MalformedNumerals) {
  EXPECT_EQ(error_of("0x"), "input:1: malformed number near '0x'");
  EXPECT_EQ(error_of("\n3x+1"), "input:2: malformed number near '3x'");
  EXPECT_EQ(error_of("1..2"), "input:1: malformed number near '1..2'");
  EXPECT_EQ(error_of("1e+"), "input:1: malformed number near '1e+'");
  EXPECT_EQ(error_of("12_3"), "input:1: malformed number near '12_'");
}

TEST(Lexer, Escapes) {
  EXPECT_EQ(string_of(R"("\a\b\f\n\r\t\v\\\"\'")"), "\a\b\f\n\r\t\v\\\"'");
  EXPECT_EQ(string_of(R"("\65\066\x43\u{44}\u{20AC}")"), "ABCD\xe2\x82\xac");
  EXPECT_EQ(string_of(R"("\u{7FFFFFFF}")"), "\xfd\xbf\xbf\xbf\xbf\xbf");
  EXPECT_EQ(string_of("'a\\\r\nb\\z  \n  c'"), "a\nbc");
  EXPECT_EQ(string_of("'a\\0b'"), std::string("a\0b", 3));
}

TEST(Lexer, LongStrings) {
  EXPECT_EQ(string_of("[[\r\na\r\nb]]"), "a\nb");
  EXPECT_EQ(string_of("[==[]]]=]]==]"), "]]]=]");
  EXPECT_EQ(string_of("[[\\n]]"), "\\n");
}

TEST(Lexer, MalformedStrings) {
  EXPECT_EQ(error_of("'abc"), "input:1: unfinished string near <eof>");
  EXPECT_EQ(error_of("'a\\65bc\n'"), "input:1: unfinished string near ''aAbc'");
  EXPECT_EQ(error_of(R"("x\q")"), R"(input:1: invalid escape sequence near '"x\q')");
  EXPECT_EQ(error_of(R"("\300x")"), R"(input:1: decimal escape too large near '"\300x')");
  EXPECT_EQ(error_of(R"("\xag")"), R"(input:1: hexadecimal digit expected near '"\xag')");
  EXPECT_EQ(error_of(R"("\u{80000000}")"), R"(input:1: UTF-8 value too large near '"\u{80000000')");
  EXPECT_EQ(error_of(R"("\u12")"), R"(input:1: missing '{' near '"\u1')");
  EXPECT_EQ(error_of(R"("\u{12")"), R"(input:1: missing '}' near '"\u{12"')");
  EXPECT_EQ(error_of("\n[[a\n\n"), "input:4: unfinished long string (starting at line 2) near <eof>");
  EXPECT_EQ(error_of("--[[a\n"), "input:2: unfinished long comment (starting at line 1) near <eof>");
  EXPECT_EQ(error_of("[=a"), "input:1: invalid long string delimiter near '[='");
}

TEST(Lexer, LongNamesAreUnique) {
  Vm vm;
  const std::string name(100, 'x');
  const std::string text = name + " " + name;
  Lexer lexer(vm, text, "=input");
  lexer.advance();
  const String* const first = lexer.token().string;
  lexer.advance();
  EXPECT_EQ(lexer.token().string, first);
}

TEST(Lexer, TokensCanBeDumped) {
  Vm vm;
  std::string out;
  ASSERT_TRUE(dump_tokens(vm, "local x <const> =\n'a'", "=input", out).ok());
  EXPECT_EQ(
      out,
      "1\tLocal\tlocal\n1\tName\tx\n1\tLess\t<\n1\tName\tconst\n1\tGreater\t>\n1\tAssign\t=\n2\tString\t'a'\n"
      "2\tEndOfText\n");
}

}  // namespace
}  // namespace mangata
