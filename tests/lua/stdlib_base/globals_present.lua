-- Every global of 5.4 and every field of the library tables is there, and nothing else: programs take a global jit for LuaJIT's.
local function names(t) local list = {} for k in pairs(t) do list[#list + 1] = k end table.sort(list) return table.concat(list, ' ') end
print(names(_G))
-- expect: _G _VERSION arg assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile math next os package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table tonumber tostring type utf8 warn xpcall
print(names(string))
-- expect: byte char dump find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper
print(names(table))  -- expect: concat insert move pack remove sort unpack
print(names(coroutine))  -- expect: close create isyieldable resume running status wrap yield
print(names(io))
-- expect: close flush input lines open output popen read stderr stdin stdout tmpfile type write
print(names(os))  -- expect: clock date difftime execute exit getenv remove rename setlocale time tmpname
print(names(utf8))  -- expect: char charpattern codepoint codes len offset
print(names(debug))
-- expect: debug gethook getinfo getlocal getmetatable getregistry getupvalue getuservalue setcstacklimit sethook setlocal setmetatable setupvalue setuservalue traceback upvalueid upvaluejoin
print(names(package))  -- expect: config cpath loaded loadlib path preload searchers searchpath
local m = {}
for k in pairs(math) do if not ({cosh = 1, sinh = 1, tanh = 1, pow = 1, frexp = 1, ldexp = 1, log10 = 1, atan2 = 1})[k] then m[k] = 1 end end
print(names(m))
-- expect: abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi rad random randomseed sin sqrt tan tointeger type ult
print(_VERSION, type(_G), _G == _ENV)  -- expect: Lua 5.4	table	true
local loaded = {}
for k, v in pairs(package.loaded) do loaded[k] = v == (k == '_G' and _G or _G[k]) end
print(names(loaded), loaded.string, loaded._G, loaded.package)
-- expect: _G coroutine debug io math os package string table utf8	true	true	true
