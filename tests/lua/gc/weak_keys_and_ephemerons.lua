-- Weak keys: a value reachable only through its own key goes with it (manual 2.5.4).
local t = setmetatable({}, {__mode = 'k'})
local key = {}
t[key] = {'value', key}
t[{}] = 'lost'
for i = 1, 100 do local k = {} t[k] = {k} end
collectgarbage()
local n = 0
for k in pairs(t) do n = n + 1 end
print(n, t[key][1])  -- expect: 1	value
key = nil
collectgarbage()
print(next(t))  -- expect: nil
local chain = setmetatable({}, {__mode = 'k'})
local first = {}
local k = first
for i = 1, 50 do local next_key = {} chain[k] = next_key k = next_key end
k = nil
collectgarbage()
n = 0
for _ in pairs(chain) do n = n + 1 end
print(n)  -- expect: 50
first = nil
collectgarbage()
print(next(chain))  -- expect: nil
local both = setmetatable({}, {__mode = 'kv'})
both[{}] = 1 both[1] = {} both.x = 'stays'
collectgarbage()
print(next(both))  -- expect: x	stays
chain['string key'] = {} chain[5] = 'five'
collectgarbage()
print(type(chain['string key']), chain[5])  -- expect: table	five
