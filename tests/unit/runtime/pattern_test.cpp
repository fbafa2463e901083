// The pattern matcher on its own: matches, captures, candidates, and the words for malformed patterns.
#include "runtime/lib/pattern.h"

#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <string>

#include "runtime/lib/pattern_cache.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// A matcher with a program of its own.
struct Matcher {
  Matcher(std::string_view subject, std::string_view pattern) : matcher(subject, program) {
    static uint16_t complement[kByteCount];
    for (size_t i = 0; i < kByteCount; ++i) complement[i] = static_cast<uint16_t>(~(*__ctype_b_loc())[i]);
    program.compile(pattern, {*__ctype_b_loc(), complement});
  }
  PatternMatcher* operator->() { return &matcher; }

  PatternProgram program;
  PatternMatcher matcher;
};

/// The first match as text, or "(none)".
std::string first_match(std::string_view subject, std::string_view pattern) {
  Matcher matcher(subject, pattern);
  const char* begin;
  const char* end = matcher->search(subject.data(), &begin);
  if (matcher->failed()) return matcher->error();
  return end == nullptr ? "(none)" : std::string(begin, end);
}

TEST(Pattern, MatchesClassesSetsAndRepetitions) {
  EXPECT_EQ(first_match("key = value", "%a+%s*=%s*%a+"), "key = value");
  EXPECT_EQ(first_match("x=[1,2]", "%b[]"), "[1,2]");
  EXPECT_EQ(first_match("THE (quick) fox", "%f[%a]%l+"), "quick");
  EXPECT_EQ(first_match("a]b", "[]]"), "]");
  EXPECT_EQ(first_match("a-b", "[a%-]+"), "a-");
  EXPECT_EQ(first_match("aaab", "a-b"), "aaab");
  EXPECT_EQ(first_match("say 'it' now", "(['\"])(.-)%1"), "'it'");
  EXPECT_EQ(first_match("abc", "c$"), "c");
  EXPECT_EQ(first_match("abc", "b$"), "(none)");
  EXPECT_EQ(first_match(std::string_view("a\0b", 3), "%z"), std::string(1, '\0'));
}

TEST(Pattern, SaysWhatIsWrong) {
  EXPECT_EQ(first_match("x", "%"), "malformed pattern (ends with '%')");
  EXPECT_EQ(first_match("x", "[a"), "malformed pattern (missing ']')");
  EXPECT_EQ(first_match("x", "[]"), "malformed pattern (missing ']')");
  EXPECT_EQ(first_match("x", "%b"), "malformed pattern (missing arguments to '%b')");
  EXPECT_EQ(first_match("x", "%f"), "missing '[' after '%f' in pattern");
  EXPECT_EQ(first_match("x", "x)"), "invalid pattern capture");
  EXPECT_EQ(first_match("x", "%1"), "invalid capture index %1");
  EXPECT_EQ(first_match(std::string(40, 'x'),
                        [] {
                          std::string pattern;
                          for (int i = 0; i < 33; ++i) pattern += "(x)";
                          return pattern;
                        }()),
            "too many captures");
  std::string optional;
  for (int i = 0; i < 300; ++i) optional += "x?";
  EXPECT_EQ(first_match(std::string(1000, 'x'), optional), "pattern too complex");
}

TEST(Pattern, ReportsCaptures) {
  Matcher matcher("hello world", "()(%a+) (%a+)");
  const char* end = matcher->match(matcher->subject_begin());
  ASSERT_EQ(end, matcher->subject_end());
  ASSERT_EQ(matcher->capture_count(), 3);
  EXPECT_EQ(matcher->capture(0).length, PatternMatcher::kPosition);
  EXPECT_EQ(std::string_view(matcher->capture(2).start, 5), "world");
}

/// Skipping to candidates must not change the result: compare with trying every position.
TEST(Pattern, CandidatesLoseNoMatch) {
  const std::string pieces[] = {"a", "b", ".", "%a", "%d", "[ab]", "[^a]", "(a)",
                                "(%d)", "a*", "b-", "[ab]+", "%s?", "()", "$"};
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string pattern, subject;
    for (unsigned i = 0; i < 1 + random() % 4; ++i) pattern += pieces[random() % std::size(pieces)];
    for (unsigned i = 0; i < random() % 12; ++i) subject += "ab1 "[random() % 4];
    Matcher fast(subject, pattern), slow(subject, pattern);
    const char* begin = nullptr;
    const char* end = fast->search(subject.data(), &begin);
    const char* expected_end = nullptr;
    const char* expected_begin = subject.data();
    for (;; ++expected_begin) {
      expected_end = slow->match(expected_begin);
      if (expected_end != nullptr || expected_begin == slow->subject_end()) break;
    }
    ASSERT_EQ(end, expected_end) << pattern << " in '" << subject << "'";
    if (end != nullptr) {
      ASSERT_EQ(begin, expected_begin) << pattern << " in '" << subject << "'";
    }
  }
}

TEST(PatternProgram, KnowsWhereOneDivisionIsPossible) {
  const auto decided = [](std::string_view pattern) {
    const Matcher matcher("", pattern);
    return matcher.program.first()->is_decided;
  };
  EXPECT_TRUE(decided("%d+%a"));
  EXPECT_TRUE(decided("[^,]*,"));
  EXPECT_TRUE(decided("x-()(y)"));
  EXPECT_TRUE(decided("%s?%S+"));
  EXPECT_TRUE(decided(".*"));
  EXPECT_TRUE(decided("a+()$"));
  EXPECT_FALSE(decided(".*,"));
  EXPECT_FALSE(decided("%w*%d"));
  EXPECT_FALSE(decided("a-"));
  EXPECT_FALSE(decided("a*b*"));
}

TEST(CompiledPattern, InUseIsNotReplaced) {
  Vm vm;
  String* const first = vm.intern("x+");
  const CompiledPattern kept(first, true);
  const PatternProgram* program = &kept.program();
  for (int i = 0; i < 1000; ++i) {
    const CompiledPattern other(vm.intern("y" + std::to_string(i)), true);
    EXPECT_EQ(other.program().pattern(), "y" + std::to_string(i));
  }
  EXPECT_EQ(kept.program().pattern(), "x+");
  const CompiledPattern again(first, true);
  EXPECT_EQ(&again.program(), program);
}

TEST(CompiledPattern, AnAnchorIsNoPartOfTheProgram) {
  Vm vm;
  String* const pattern = vm.intern("^x");
  for (int i = 0; i < 2; ++i) {
    const CompiledPattern anchored(pattern, true);
    EXPECT_TRUE(anchored.is_anchored());
    EXPECT_EQ(anchored.program().pattern(), "x");
    const CompiledPattern plain(pattern, false);
    EXPECT_FALSE(plain.is_anchored());
    EXPECT_EQ(plain.program().pattern(), "^x");
  }
}

}  // namespace
}  // namespace mangata
