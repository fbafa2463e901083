#!/usr/bin/env python3
"""LUA_INIT, LUA_PATH, LUA_CPATH and their _5_4 forms; -E ignores them (manual, chapter 7 and 6.3)."""

import harness

PATHS = "print(package.path) print(package.cpath)"


class Environment(harness.CommandLineTest):
    def test_init_runs_before_everything(self):
        self.same(["-e", "print('script')"], env={"LUA_INIT": "print('init')"})
        self.same(["-e", "print('script')"], env={"LUA_INIT_5_4": "print('init 5.4')", "LUA_INIT": "print('not run')"})
        self.same(["-e", "print(x)"], env={"LUA_INIT": "x = 5"})

    def test_init_file(self):
        self.write("init.lua", "print('init file', ...)")
        self.same(["-e", "print(1)"], env={"LUA_INIT": "@init.lua"})
        self.same(["-e", "print(1)"], env={"LUA_INIT": "@missing.lua"})

    def test_init_errors_stop(self):
        self.same(["-e", "print('never')"], env={"LUA_INIT": "error('in init')"})
        self.same(["-e", "print('never')"], env={"LUA_INIT": "x ="})
        self.same(["-e", "print('never')"], env={"LUA_INIT_5_4": "error('in init')"})

    def test_paths(self):
        self.same(["-e", PATHS])
        self.same(["-e", PATHS], env={"LUA_PATH": "./only/?.lua", "LUA_CPATH": "./c/?.so"})
        self.same(["-e", PATHS], env={"LUA_PATH": "a/?.lua;;", "LUA_CPATH": ";;b/?.so"})
        self.same(["-e", PATHS], env={"LUA_PATH": "a/?.lua;;b/?.lua"})
        self.same(["-e", PATHS], env={"LUA_PATH_5_4": "five/?.lua;;", "LUA_PATH": "plain/?.lua"})
        self.same(["-e", PATHS], env={"LUA_CPATH_5_4": "five/?.so", "LUA_CPATH": "plain/?.so"})
        self.same(["-e", PATHS], env={"LUA_PATH": "", "LUA_CPATH": ""})

    def test_ignore_environment(self):
        self.same(["-E", "-e", PATHS], env={"LUA_PATH": "x", "LUA_CPATH": "y", "LUA_INIT": "print('init')"})
        self.same(["-e", "print(1)", "-E"], env={"LUA_INIT": "print('init')"})

    def test_modules_are_found_through_the_path(self):
        self.write("lib/m.lua", "return 'found ' .. ...")
        self.same(["-e", "print(require 'm')"], env={"LUA_PATH": "lib/?.lua"})
        self.same(["-e", "print(pcall(require, 'm'))"], env={"LUA_PATH": "other/?.lua", "LUA_CPATH": "c/?.so"})


if __name__ == "__main__":
    harness.main()
