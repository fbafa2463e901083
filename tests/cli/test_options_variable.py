#!/usr/bin/env python3
"""MANGATA_OPTIONS, by which wrappers, test runners and children are profiled, and %p in the names of what they write."""

import json

import harness


class OptionsVariable(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", "local n = 0\nfor i = 1, 10 do n = n + i end\nprint(n, ...)\n")

    def run_with(self, variable: str, *arguments: str) -> harness.Outcome:
        return self.run_engine([*arguments], env={"MANGATA_OPTIONS": variable})

    def test_options_come_before_those_of_the_command_line(self):
        got = self.run_with("-e 'x = 1' --profile-paths=first.json", "-e", "print(x)", "--profile-paths=second.json", "s.lua", "a")
        self.assertEqual((got.code, got.out, got.err), (0, "1\n55\ta\n", ""))
        self.assertEqual([(self.folder / name).exists() for name in ("first.json", "second.json")], [False, True])

    def test_arg_has_nothing_of_it(self):
        self.write("arg.lua", "print(arg[0], arg[1], arg[-2])")
        got = self.run_with("-e 'y = 1'", "-W", "arg.lua", "a")
        self.assertEqual(got.out.split("\t")[:2], ["arg.lua", "a"])

    def test_ignored_with_E(self):
        got = self.run_with("--nope", "-E", "s.lua")
        self.assertEqual((got.code, got.err), (0, ""))

    def test_errors_name_the_variable(self):
        for variable, why in (("--nope", "unrecognized option '--nope'"), ("'x", "unfinished quote (')"), ("s.lua", "'s.lua' is no option"),
                              ("--profile-paths=a%b", "invalid value 'a%b' for option '--profile-paths'")):
            got = self.run_with(variable, "s.lua")
            self.assertEqual((got.code, got.out), (1, ""), variable)
            self.assertTrue(got.err.startswith(f"lua: MANGATA_OPTIONS: {why}"), got.err)

    def test_children_write_a_file_each(self):
        """A wrapper in shell, and a script that starts others: each process has its profile."""
        self.write("parent.lua", f"for i = 1, 3 do os.execute(\"'{harness.ENGINE}' s.lua \" .. i) end")
        done = self.run_program("sh", ["-c", f"'{harness.ENGINE}' parent.lua"], env={"MANGATA_OPTIONS": "--profile-paths='a 100%%.%p.json'"})
        self.assertEqual((done.code, done.err), (0, ""))
        files = list(self.folder.glob("a 100%.*.json"))
        self.assertEqual(len(files), 4)
        chunks = [next(f["source"] for f in json.loads(path.read_text())["functions"] if f["name"] == "main chunk") for path in files]
        self.assertEqual(sorted(chunks), ["@parent.lua", "@s.lua", "@s.lua", "@s.lua"])
        for path in files:
            self.assertTrue(path.name.split(".")[1].isdigit(), path)

    def test_names_of_logs(self):
        got = self.run_engine(["--jit-log=log.%p", "--record-decisions=%p.jsonl", "s.lua"])
        self.assertEqual(got.code, 0, got.err)
        (log,) = self.folder.glob("log.*")
        self.assertTrue((self.folder / (log.name.split(".")[1] + ".jsonl")).exists())


if __name__ == "__main__":
    harness.main()
