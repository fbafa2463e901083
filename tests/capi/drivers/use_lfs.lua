-- package: lua-filesystem
local lfs = require "lfs"
local name = os.tmpname()
os.remove(name)
print(lfs.mkdir(name), lfs.mkdir(name) == nil, lfs.attributes(name, "mode"))
for i = 1, 3 do local f = io.open(name .. "/f" .. i, "w"); f:write(("x"):rep(i)); f:close() end
local names = {}
for f in lfs.dir(name) do names[#names + 1] = f end
table.sort(names)
print(table.concat(names, " "))
print(lfs.attributes(name .. "/f3", "size"), lfs.attributes(name .. "/f3").mode, (select(3, lfs.attributes "/nonexistent")))
print(pcall(lfs.dir, "/nonexistent"))
print(pcall(lfs.attributes, name, "nothing"))
local f = io.open(name .. "/f1", "r+")
print(lfs.lock(f, "r"), lfs.unlock(f), lfs.setmode(f, "binary"))
f:close()
print(pcall(lfs.lock, f, "r"))
print(pcall(lfs.lock, io.stdin))
print(lfs.touch(name .. "/f2", 100, 200), lfs.attributes(name .. "/f2", "modification"))
print(lfs.symlinkattributes and (lfs.link("f1", name .. "/l", true)), lfs.symlinkattributes(name .. "/l", "mode"))
local here = lfs.currentdir()
print(lfs.chdir(name), lfs.currentdir() == name or true, lfs.chdir(here))
local iterator, state = lfs.dir(name)
print(type(iterator), (tostring(state):gsub("0x%x+", "")))
state:close()
print(pcall(iterator, state))
local lock = lfs.lock_dir(name)
print(lock ~= nil, (select(2, lfs.lock_dir(name))))
lock:free()
for _, f in ipairs { "f1", "f2", "f3", "l" } do os.remove(name .. "/" .. f) end
print(lfs.rmdir(name))
