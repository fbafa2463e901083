"""Does check_comments.py see public members, and which of them have comments?"""

import unittest

import check_comments


def found(text):
    return [(member.name, member.commented) for member in check_comments.members(text)]


class CheckCommentsTest(unittest.TestCase):
    def test_a_comment_stands_above_behind_or_above_the_group(self):
        self.assertEqual(found("struct A {\n  int a;  ///< x\n  /// y\n  int b;\n\n  // z\n  int c;\n  int d;\n\n  int e;\n};\n"),
                         [("A::a", True), ("A::b", True), ("A::c", True), ("A::d", True), ("A::e", False)])

    def test_what_is_private_needs_none(self):
        self.assertEqual(found("class A {\n  int a;\n public:\n  void b(int x, int y);\n private:\n  void c();\n};\n"), [("A::b", False)])

    def test_bodies_are_no_members_and_classes_inside_are_looked_into(self):
        text = "struct A {\n  void f() override {\n    int x;\n  }\n  void g(int n) {\n    int y = 0;\n    h(y);\n  }\n  struct B {\n    int z{3};\n  };\n};\n"
        self.assertEqual(found(text), [("A::g", False), ("B::z", False)])

    def test_names_that_say_all(self):
        text = ("struct A {\n  A();\n  A(const A&) = delete;\n  EventKind kind;\n  std::vector<Window> windows;\n  LoopId loop = {};\n"
                "  int count() const { return count_; }\n  void set_count(int n) { count_ = n; }\n  size_t size() const;\n  BlockId from, to;\n};\n"
                "template <>\nstruct B<int> {\n  static bool push(int value);\n};\nnamespace detail {\nstruct C {\n  int x;\n};\n}\n")
        self.assertEqual(found(text), [])

    def test_enumerators_lambdas_and_initializers(self):
        text = ("inline constexpr int kTable = [] {\n  int all = 0;\n  return all;\n}();\nstruct A {\n  enum class How : char {\n    One,\n    Two\n  } how;\n"
                "  static constexpr long kMost = long{64} << 20;\n};\n")
        self.assertEqual(found(text), [("A::kMost", False)])


if __name__ == "__main__":
    unittest.main()
