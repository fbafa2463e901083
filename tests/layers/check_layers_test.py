"""Does check_layers.py see what it should see? Each test plants one file in an empty tree."""

import tempfile
import unittest
from pathlib import Path

import check_layers


class CheckLayersTest(unittest.TestCase):
    def offences_of(self, file, text):
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            for name in ("vm/value.h", "profiler/plan.h", "jit/abi/thunks.h", file):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("")
            (root / file).write_text(text)
            return list(check_layers.offences(root))

    def test_downward_includes_are_fine(self):
        self.assertEqual(self.offences_of("profiler/a.cpp", '#include "vm/value.h"\n#include <vector>\n'), [])

    def test_upward_includes_are_named_with_their_line(self):
        (offence,) = self.offences_of("vm/a.cpp", '\n#include "profiler/plan.h"\n')
        self.assertEqual(offence, 'vm/a.cpp:2: "profiler/plan.h": vm may not include profiler')

    def test_folders_of_a_layer_are_layers(self):
        self.assertEqual(self.offences_of("jit/baseline/a.cpp", '#include "jit/abi/thunks.h"\n'), [])
        self.assertEqual(self.offences_of("jit/optimizer/inner/a.cpp", '#include "jit/abi/thunks.h"\n'), [])
        (offence,) = self.offences_of("jit/code_memory/a.cpp", '\n#include "jit/abi/thunks.h"\n')
        self.assertEqual(offence, 'jit/code_memory/a.cpp:2: "jit/abi/thunks.h": jit/code_memory may not include jit/abi')

    def test_folders_in_no_table_are_noticed(self):
        self.assertIn("in no table", self.offences_of("jit/other/a.cpp", '#include "jit/abi/thunks.h"\n')[0])
        self.assertIn("nothing lies in jit itself", self.offences_of("jit/a.cpp", '#include "jit/abi/thunks.h"\n')[0])

    def test_circles_of_files_are_found(self):
        self.assertEqual(check_layers.circles({"a": ["b", "c"], "b": ["c"], "c": []}), [])
        self.assertEqual(check_layers.circles({"a": ["b"], "b": ["c", "d"], "c": ["a"], "d": ["e"], "e": []}), [["a", "b", "c"]])
        self.assertEqual(check_layers.circles({"a": ["a"], "b": ["c"], "c": ["b"]}), [["a"], ["b", "c"]])
        self.assertIn("include each other", self.offences_of("vm/a.h", '#include "vm/a.h"\n')[0])

    def test_no_folder_includes_one_below_it(self):
        for layer, table in check_layers.FOLDERS.items():
            seen = set()
            for folder, others in table.items():
                self.assertLessEqual(others, seen, f"{layer}/{folder}")
                seen.add(folder)

    def test_reports_do_without_the_machine(self):
        self.assertIn("need no virtual machine", self.offences_of("profiler/report_x.cpp", '#include "vm/value.h"\n')[0])
        self.assertEqual(self.offences_of("profiler/decode.cpp", '#include "vm/value.h"\n'), [])

    def test_includes_are_rooted_at_the_repository(self):
        self.assertIn("rooted", self.offences_of("vm/a.cpp", '#include "value.h"\n')[0])

    def test_missing_headers_are_noticed(self):
        self.assertIn("does not exist", self.offences_of("vm/a.cpp", '#include "vm/nothing.h"\n')[0])

    def test_libraries_stay_where_they_belong(self):
        self.assertEqual(self.offences_of("jit/optimizer/a.cpp", "#include <llvm/IR/IRBuilder.h>\n"), [])
        self.assertIn("jit/optimizer/", self.offences_of("vm/a.cpp", "#include <llvm/IR/IRBuilder.h>\n")[0])

    def test_unknown_libraries_and_c_headers_are_refused(self):
        self.assertIn("in no table", self.offences_of("vm/a.cpp", "#include <curl/curl.h>\n")[0])
        self.assertIn("in no table", self.offences_of("vm/a.cpp", "#include <stdlib.h>\n")[0])

    def test_the_numbering_uses_nothing_of_the_system(self):
        self.assertEqual(self.offences_of("vm/a.cpp", "#include <unistd.h>\n"), [])
        self.assertIn("numbering", self.offences_of("numbering/a.cpp", "#include <unistd.h>\n")[0])

    def test_switches_over_opcodes_name_them_all(self):
        text = "switch (family_of(in.op)) {\n  case OpcodeFamily::Move: {\n    f();\n  }\n  default: g();\n}\n"
        self.assertIn("a switch over opcodes", self.offences_of("jit/a.cpp", text)[0])
        self.assertEqual(self.offences_of("vm/a.cpp", text), [])
        self.assertEqual(self.offences_of("jit/a.cpp", "switch (op) {\n  case Kind::Plus: f();\n  default: g();\n}\n"), [])

    def test_emitters_name_no_machine(self):
        self.assertIn("of one machine", self.offences_of("jit/baseline/a.cpp", "  a_.mov(to, from);\n")[0])
        self.assertIn("of one machine", self.offences_of("jit/baseline/a.cpp", "using namespace asmjit::x86;\n")[0])
        self.assertEqual(self.offences_of("jit/baseline/a.cpp", "  masm_.move(to, from);\n"), [])

    def test_long_files_are_refused_and_tables_are_not(self):
        self.assertIn("501 lines", self.offences_of("vm/a.cpp", "\n" * 501)[0])
        self.assertEqual(self.offences_of("vm/a.def", "\n" * 501), [])


if __name__ == "__main__":
    unittest.main()
