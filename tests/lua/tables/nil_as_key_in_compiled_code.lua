-- A store with nil as the key is an error, also where the table has room for it: what is empty has no key.
local function store(t, k, v) t[k] = v end
local stored = 0
for size = 1, 20 do
  local t = {}
  for i = 1, size do t[i + 0.5] = i end
  for _ = 1, 40 do
    if pcall(store, t, nil, nil) then stored = stored + 1 end
    if pcall(store, t, nil, 5) then stored = stored + 1 end
  end
  if next(t) == nil then stored = stored + 1 end
end
print(stored, pcall(store, { [1.5] = 1 }, nil, 5))
-- expect: 0	false	nil_as_key_in_compiled_code.lua:2: table index is nil
