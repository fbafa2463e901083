"""Does check_references.py see what it should see? Each test plants files in an empty tree."""

import tempfile
import unittest
from pathlib import Path

import check_references


class CheckReferencesTest(unittest.TestCase):
    def dead(self, file, text):
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            for name, content in {"vm/value/value.h": "", "vm/README.md": "# A heading: of words\n", file: text}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            return list(check_references.Tree(root).dead())

    def test_files_from_the_root_and_beside_the_text_are_there(self):
        self.assertEqual(self.dead("vm/a.md", "`vm/value/value.h`, `value/value.h`, `value.h`\n"), [])
        self.assertEqual(self.dead("vm/a.h", "// Read next: vm/value/value.h.\n"), [])

    def test_dead_ones_are_named_with_their_line(self):
        self.assertEqual(self.dead("vm/a.md", "\n`vm/value/number.h`\n"), ["vm/a.md:2: vm/value/number.h"])
        self.assertEqual(self.dead("vm/a.h", "// Read next: number.h.\n"), ["vm/a.h:1: number.h"])
        self.assertEqual(self.dead("vm/a.h", "// as vm/number does\n"), ["vm/a.h:1: vm/number"])

    def test_code_is_not_looked_at(self):
        self.assertEqual(self.dead("vm/a.cpp", 'const char* kName = "number.h";\n'), [])
        self.assertEqual(self.dead("vm/a.md", "```\n`number.h`\n```\n"), [])

    def test_links_lead_to_files_and_headings(self):
        self.assertEqual(self.dead("a.md", "[x](vm/README.md#a-heading-of-words)\n"), [])
        self.assertIn("no such heading", self.dead("a.md", "[x](vm/README.md#words)\n")[0])
        self.assertIn("link to", self.dead("vm/a.md", "[x](../value.h)\n")[0])


if __name__ == "__main__":
    unittest.main()
