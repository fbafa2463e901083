"""Does check_words.py see declarations, and words in comments and names? Each test plants a file in an empty tree."""

import tempfile
import unittest
from pathlib import Path

import check_words


class CheckWordsTest(unittest.TestCase):
    def found(self, file, text):
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(text)
            return list(check_words.offences(root))

    def lines(self, text, file="vm/a.cpp"):
        return [int(line.split(":")[1]) for line in self.found(file, text)]

    def test_whatever_is_declared_has_a_noun_for_a_name(self):
        for declaration in ("const Fact& its = fact(slot);", "void select(ir::Value value, const ir::Operation& its);", "Operand its;",
                            "for (auto& [its, regions] : regions_) {}", "for (const auto& [proto,\n its] : all) {}", "const PathCode& its_;",
                            "all_of([&](const auto& its) { return true; });", "for (Fact& its : slots) {}", "std::vector<int> its{1};",
                            "const auto f = [its = g()] {};", "#define F(its) 1", "struct account *its = p;", "int its[3];", "void its();",
                            "template <typename... All>\nvoid f(All&&... its);", "char* its, *other;", "std::vector<int> its;"):
            self.assertEqual(len(self.found("jit/a.h", declaration + "\n")), 1, declaration)

    def test_uses_comments_and_texts_declare_nothing(self):
        self.assertEqual(self.lines("int a = b.its;\nif (a) its = 1;\nif (b)\n  its[1] = 2;\nint c = its->d;\nreturn its;\n// a value and its slot\nsay(\"it and its = 1\");\n"
                                    "int bits = 1, its_name = 2;\nconst char* text = R\"(const Fact& its = 1)\";\n"), [])

    def test_the_line_is_named_and_all_folders_are_looked_at(self):
        self.assertEqual(self.lines("int a;\n\nint its = 1;\n", "tests/unit/a.cpp"), [3])
        self.assertEqual(self.lines("int its;\n", "bench/micro/a.c"), [1])
        self.assertEqual(self.lines("int its;\n", "runtime/include/lua5.4/lua.h"), [])
        self.assertEqual(self.lines("int its;\n", "vm/a.py"), [])

    def test_words_that_are_replaced_are_found_in_comments(self):
        self.assertEqual(self.found("runtime/a.h", "\n// Versions that are in force.\n"), ['runtime/a.h:2: "in force" is called otherwise: installed, or what applies'])
        self.assertEqual(self.lines("/// Walked into, a call costs no money.\n"), [1, 1])
        self.assertEqual(self.lines("int a;  // a virtual\n        // table\n/* virtual\n * tables */\n"), [1, 3])
        self.assertEqual(self.lines("// is_in_force says so\n"), [1])

    def test_and_in_names(self):
        self.assertEqual(self.lines("bool is_in_force;\nclass VirtualTable;\nint money_ = 0;\nint kMoneySpent;\n"), [1, 2, 3, 4])

    def test_other_words_are_none_of_these(self):
        self.assertEqual(self.lines("// reinforced, enforced, within forces, monetary; tables are virtual. Table 3.\nvirtual Table* table();\nsay(\"money\");\n"), [])
        self.assertEqual(self.lines("// in force\n", "tests/unit/a.cpp"), [])


if __name__ == "__main__":
    unittest.main()
