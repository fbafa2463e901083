#!/usr/bin/env python3
"""The interactive interpreter: -i through a pipe and through a terminal (manual, chapter 7)."""

import os
import pty
import re
import select
import subprocess
import time

import harness


def without_echo(text: str, lines: tuple[str, ...]) -> str:
    """Takes the input lines out of the output, each at its first place after the one before."""
    position = 0
    for line in lines:
        at = text.find(line + "\n", position) if line else -1
        if at >= 0:
            text, position = text[:at] + text[at + len(line) + 1 :], at
    return text


def plain(text: str) -> str:
    """Without prompts and blanks around lines, without empty lines."""
    text = re.sub(r"(?m)^((>>?|\(\d\)) ?)+", "", text)
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


class Piped(harness.CommandLineTest):
    """With -i the REPL runs even when standard input is no terminal; prompts go to standard output.

    A build with a line-editing library echoes what it reads and another does not, so echoes and prompts are taken out.
    """

    def repl(self, *lines: str, arguments: list[str] | None = None, end: str = "\n") -> None:
        arguments = ["-i"] + (arguments or [])
        stdin = "\n".join(lines) + end
        expected = self.run_program(harness.JUDGE, arguments, stdin=stdin)
        got = self.run_engine(arguments, stdin=stdin)
        wanted = [plain(without_echo(expected.out, lines)), plain(expected.out)]
        found = [plain(without_echo(got.out, lines)), plain(got.out)]
        self.assertTrue(set(wanted) & set(found), f"expected:\n{expected}\ngot:\n{got}")
        self.assertEqual((expected.code, expected.err), (got.code, got.err))

    def test_expressions_are_printed(self):
        self.repl("1 + 1", "'text', nil, {} == {}", "x = 5", "x", "=x", "= x, x + 1", "nil", "", "print('done')")

    def test_continuation_lines(self):
        self.repl("for i = 1, 2 do", "print(i)", "end", "function f(", "a)", "return a * 2", "end", "f(21)", "x = [[", "two lines]]", "x")

    def test_errors_do_not_end_it(self):
        self.repl("error('one')", "x ==", "local t = nil; t.x = 1", "error({})", "error()", "print('still here')")

    def test_locals_end_with_their_line(self):
        self.repl("local x = 1", "x", "local y = 2; return y")

    def test_prompts_can_be_changed(self):
        self.repl("_PROMPT = '(1) '", "_PROMPT2 = '(2) '", "for i = 1, 1 do", "end", "_PROMPT = 5", "1")

    def test_print_replaced_or_broken(self):
        self.repl("print = nil", "1", "print = function() error('p', 0) end", "2")

    def test_after_a_script(self):
        self.write("s.lua", "y = 'from script' print('script', ...)")
        self.repl("y", arguments=["s.lua", "a"])
        self.repl("z", arguments=["-e", "z = 1"])

    def test_script_error_before_the_repl(self):
        self.write("s.lua", "error('script fails')")
        self.repl("1", arguments=["s.lua"])

    def test_no_newline_at_the_end(self):
        self.repl("print('no newline')", end="")

    def test_exit(self):
        self.repl("os.exit(7)", "print('never')")


class Terminal(harness.CommandLineTest):
    """On a terminal the REPL starts by itself. Line editing echoes in its own way, so only outcomes are looked for."""

    def session(self, lines: list[str], wanted: list[str]) -> None:
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [harness.ENGINE], stdin=slave, stdout=slave, stderr=slave, cwd=self.folder,
            env=harness.environment({"HOME": str(self.folder)}), close_fds=True,
        )
        os.close(slave)
        text = self.read_until(master, b"> ")
        for line in lines:
            os.write(master, line.encode() + b"\n")
            text += self.read_until(master, b"> ")
        os.write(master, b"\x04")
        text += self.read_until(master, None)
        process.wait(timeout=10)
        os.close(master)
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", text.decode("latin-1"))
        for piece in wanted:
            self.assertIn(piece, plain)
        self.assertEqual(process.returncode, 0)

    def read_until(self, descriptor: int, mark: bytes | None) -> bytes:
        """Reads until the prompt appears and a moment of silence follows, or until the other side closes."""
        data, deadline = b"", time.monotonic() + 5
        while time.monotonic() < deadline:
            ready, _, _ = select.select([descriptor], [], [], 0.15)
            if ready:
                try:
                    piece = os.read(descriptor, 4096)
                except OSError:
                    break
                if not piece:
                    break
                data += piece
            elif mark is None or data.rstrip(b" ").endswith(mark.rstrip(b" ")):
                if mark is not None:
                    break
        return data

    def test_session(self):
        self.session(["6 * 7", "for i = 1, 2 do", "print('line', i)", "end", "=nil, 'x'", "error('oops')"],
                     ["Lua 5.4", "42", "line", "oops", "stack traceback"])


if __name__ == "__main__":
    harness.main()
