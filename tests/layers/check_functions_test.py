"""Does check_functions.py see functions, and how long they are?"""

import unittest

import check_functions


def lengths(text):
    return [(name, length) for name, line, length in check_functions.functions(text)]


class CheckFunctionsTest(unittest.TestCase):
    def test_lines_between_the_braces_count(self):
        self.assertEqual(lengths("int f(int x) {\n  if (x) {\n    g();\n  }\n  return 1;\n}\n"), [("f", 4)])

    def test_members_and_long_parameter_lists_are_functions_too(self):
        text = "class A {\n  void member() const {\n    g();\n  }\n};\nA::A(int a,\n     int b)\n    : a_(a) {\n  h();\n}\n"
        self.assertEqual(lengths(text), [("member", 1), ("A::A", 1)])

    def test_what_has_braces_and_is_none(self):
        self.assertEqual(lengths("namespace a {\nstruct B {\n  int c;\n};\nconst int kTable[] = {\n  f(1),\n};\n}  // namespace a\n"), [])


if __name__ == "__main__":
    unittest.main()
