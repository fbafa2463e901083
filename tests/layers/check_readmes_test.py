"""Does check_readmes.py see wide prose, and folders that nobody speaks of?"""

import unittest

import check_readmes


class CheckReadmesTest(unittest.TestCase):
    def test_prose_is_measured_and_tables_and_commands_are_not(self):
        wide = "word " * 30
        text = f"{wide}\n| {wide} |\n```\n{wide}\n```\n{wide}\n"
        self.assertEqual([number for number, columns in check_readmes.wide_lines(text)], [1, 6])

    def test_renewing_changes_where_lines_end_and_nothing_else(self):
        text = "* " + "some words and `code of two` " * 8 + "\n  more\n\nshort\n```\n" + "x" * 200 + "\n```\n"
        renewed = check_readmes.rewrapped(text)
        self.assertEqual(renewed.split(), text.split())
        self.assertEqual(list(check_readmes.wide_lines(renewed)), [])
        self.assertEqual(check_readmes.rewrapped(renewed), renewed)

    def test_a_folder_is_named_by_its_path_or_by_its_name_with_a_slash(self):
        texts = {"README.md": "`bench/suite` holds programs", "vm/README.md": "| `value/`, `heap` | ..."}
        self.assertTrue(check_readmes.is_named("bench/suite", texts))
        self.assertTrue(check_readmes.is_named("vm/value", texts))
        self.assertFalse(check_readmes.is_named("vm/operations", texts))


if __name__ == "__main__":
    unittest.main()
