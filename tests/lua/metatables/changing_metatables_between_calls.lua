-- A site that saw one metatable must notice another, a new field, and a removed one.
local function get(o) return o.value end
local function add(o) return o + 1 end
local o = {value = 'own'}
local plain = {}
local results = {}
local function note(x) results[#results + 1] = tostring(x) end
for i = 1, 3 do note(get(o)) note(get(plain)) end
setmetatable(plain, {__index = {value = 'inherited'}}) note(get(plain))
getmetatable(plain).__index.value = 'changed' note(get(plain))
getmetatable(plain).__index = function() return 'computed' end note(get(plain))
getmetatable(plain).__index = nil note(get(plain))
getmetatable(plain).__index = {value = 'back'} note(get(plain))
setmetatable(plain, nil) note(get(plain))
plain.value = 'now own' note(get(plain))
plain.value = nil note(get(plain))
print(table.concat(results, ' '))
-- expect: own nil own nil own nil inherited changed computed nil back nil now own nil
print(pcall(add, o))
-- expect: false	changing_metatables_between_calls.lua:3: attempt to perform arithmetic on a table value (local 'o')
setmetatable(o, {__add = function() return 'added' end})
print(add(o), add(1), add(1.5))  -- expect: added	2	2.5
getmetatable(o).__add = nil
print(pcall(add, o))
-- expect: false	changing_metatables_between_calls.lua:3: attempt to perform arithmetic on a table value (local 'o')
getmetatable(o).__add = function() return 'again' end
print(add(o))  -- expect: again
local shared = {}
local list = {}
for i = 1, 5 do list[i] = setmetatable({}, shared) end
for i = 1, 5 do if i == 3 then shared.__index = {value = 'late'} end io.write(tostring(get(list[i])), ' ') end
print()  -- expect: nil nil late late late
