-- Binary chunks that no compiler made: a program is compiled and dumped, its structure is changed in one to three places, and the checksum
-- is made right. What is refused is fine; what is not must not crash, and must do the same in all tiers.
-- Each mutant runs twice: first with a count hook, which ends what does not end by itself; then, when it did end, without.
-- Invariant: which mutants a program has depends on its text alone.
-- Read next: chunk_format.lua.

local Random = require 'random'
local ChunkFormat = require 'chunk_format'
local weights = Random.weights

local Mutants = {}
local MUTANTS = 8   -- of one program
local MOST_INSTRUCTIONS = 30000

local opcodes, number_of   -- filled at the first use: other kinds of programs run without the sources of the machine

-- Numbers near the borders of what an operand may be.
local function near(r, old, limit)
  return r:pick{old + 1, old - 1, old + r:int(-4, 4), r:int(0, limit), limit, limit + 1, limit - 1, 0, 1, r:int(0, 3)}
end
local function byte(v) return v & 0xff end
local function short(v) return v & 0xffff end
local function signed(v) return (v & 0xffffffff ~ 0x80000000) - 0x80000000 end

-- change.X(f, r): changes something in a function; returns what, or nil when it has no such thing.
local change = {}

local function instruction(f, r, wanted)
  local start = r:int(1, #f.code)
  for k = 0, #f.code - 1 do
    local pc = (start + k - 1) % #f.code + 1
    local info = opcodes[f.code[pc].op + 1]
    if not wanted or wanted(info) then return f.code[pc], pc, info end
  end
end
local function halves(i) return i.imm & 0xffff, i.imm >> 16 & 0xffff end
local function set_halves(i, c, d) i.imm = signed(short(c) | short(d) << 16) end

function change.a(f, r)
  local i, pc, info = instruction(f, r)
  i.a = byte(near(r, i.a, f.slots))
  return ('%s at %d: a = %d'):format(info.name, pc - 1, i.a)
end
function change.b(f, r)
  local i, pc, info = instruction(f, r)
  i.b = short(near(r, i.b, r:pick{f.slots, #f.constants, #f.upvalues}))
  return ('%s at %d: b = %d'):format(info.name, pc - 1, i.b)
end
function change.c_or_d(f, r)
  local i, pc, info = instruction(f, r, function(info) return not info.format:find('Jump') end)
  if not i then return nil end
  local c, d = halves(i)
  if r:chance(70) then c = near(r, c, r:pick{f.slots, #f.constants}) | (r:chance(20) and 0x8000 or 0) else d = near(r, d, r:pick{f.caches, 2}) end
  set_halves(i, c, d)
  return ('%s at %d: c, d = %d, %d'):format(info.name, pc - 1, c, d)
end
-- Where a jump leads: any place, the beginning, an end, another jump's target, or one instruction beside.
function change.jump(f, r)
  local i, pc, info = instruction(f, r, function(info) return info.format:find('Jump') end)
  if not i then return nil end
  local other = instruction(f, r, function(info) return info.format:find('Jump') end)
  local target = r:pick{0, 0, 1, r:int(0, #f.code), r:int(0, #f.code), pc + i.imm + r:pick{-1, 1}, pc + other.imm, pc - 1, pc, #f.code - 1}
  i.imm = target - pc
  if info.name == 'Jump' then i.a = i.imm < 0 and 1 or 0 end
  return ('%s at %d: to %d'):format(info.name, pc - 1, target)
end
function change.imm(f, r)
  local i, pc, info = instruction(f, r, function(info) return info.format:find('imm') or info.format:find('Imm') or info.format == 'RaProto' end)
  if not i then return nil end
  i.imm = signed(near(r, i.imm, r:pick{#f.constants, #f.nested, 1 << 31}))
  return ('%s at %d: imm = %d'):format(info.name, pc - 1, i.imm)
end
-- Another opcode: one with the same operands, or any.
function change.opcode(f, r)
  local i, pc, info = instruction(f, r)
  local new = r:int(1, #opcodes)
  if r:chance(80) then for _ = 1, 40 do if opcodes[new].format == info.format then break end new = r:int(1, #opcodes) end end
  i.op = new - 1
  return ('%s at %d: %s'):format(info.name, pc - 1, opcodes[new].name)
end
-- One instruction over another, or two swapped, or a run moved: what happens once happens twice, or not, or before it was prepared.
function change.order(f, r)
  local x, y = r:int(1, #f.code), r:int(1, #f.code)
  if r:chance(40) then y = math.max(1, math.min(#f.code, x + r:int(-3, 3))) end
  local from, to = f.code[x], f.code[y]
  f.code[y] = {op = from.op, a = from.a, b = from.b, imm = from.imm}
  if r:chance(50) then f.code[x] = to end
  return ('%d to %d'):format(x - 1, y - 1)
end
-- Instructions that prepare or end something, anywhere.
function change.special(f, r)
  local name = r:pick{'ToBeClosed', 'Close', 'PrepareVararg', 'Vararg', 'Closure', 'Return', 'TailCall', 'Call', 'ForPrepare', 'GenericForPrepare', 'SetList', 'NewTable', 'Self', 'GetUpvalue', 'LoadNil', 'Concat'}
  local pc = r:int(1, #f.code)
  local i = f.code[pc]
  i.op = number_of[name]
  if r:chance(50) then i.a, i.b = byte(r:int(0, f.slots)), r:int(0, 3) set_halves(i, r:int(0, 3), 0) end
  return ('%s at %d'):format(name, pc - 1)
end
function change.removed(f, r)
  local pc = r:int(1, #f.code)
  if #f.code < 3 then return nil end
  table.remove(f.code, pc)
  if #f.lines > 0 then table.remove(f.lines, pc) end
  return ('without %d'):format(pc - 1)
end
function change.header(f, r)
  local name = r:pick{'parameters', 'vararg', 'slots', 'slots', 'caches'}
  f[name] = name == 'vararg' and 1 - f.vararg or name == 'caches' and r:pick{0, f.caches + 1, math.max(0, f.caches - 1), 65535} or byte(near(r, f[name], 254))
  return ('%s = %d'):format(name, f[name])
end
function change.constant(f, r)
  if #f.constants == 0 then return nil end
  local k = r:int(1, #f.constants)
  f.constants[k] = r:pick{f.constants[r:int(1, #f.constants)], {tag = 0}, {tag = 2}, {tag = 3, value = r:pick{0, 1, -1, math.maxinteger}}, {tag = 4, value = r:pick{0, 0x7ff8000000000000, 0x3ff0000000000000, -1}}, {tag = 5, value = r:pick{'', 'x', '__index', ('long'):rep(20)}}}
  return ('constant %d'):format(k - 1)
end
function change.upvalue(f, r)
  if #f.upvalues == 0 then return nil end
  local k = r:int(1, #f.upvalues)
  local u = f.upvalues[k]
  local name = r:pick{'from_parent', 'index', 'index', 'kind', 'all'}
  if name == 'from_parent' then u.from_parent = 1 - u.from_parent elseif name == 'index' then u.index = byte(near(r, u.index, f.slots)) elseif name == 'kind' then u.kind = r:int(0, 4)
  else f.upvalues[k] = f.upvalues[r:int(1, #f.upvalues)] end
  return ('upvalue %d'):format(k - 1)
end
function change.nested(f, r)
  if #f.nested == 0 then return nil end
  local k, other = r:int(1, #f.nested), r:int(1, #f.nested)
  if r:chance(20) then table.remove(f.nested, k) else f.nested[k], f.nested[other] = f.nested[other], r:chance(50) and f.nested[k] or f.nested[other] end
  return ('nested function %d'):format(k - 1)
end
function change.locals(f, r)
  if r:chance(30) then for _ = 1, r:pick{1, 10, 300} do f.locals[#f.locals + 1] = {name = 'more', first = 0, last = #f.code} end return 'more locals' end
  if #f.locals == 0 then return nil end
  local l = f.locals[r:int(1, #f.locals)]
  l.first, l.last = r:pick{l.first, 0, math.max(0, l.first - 1), l.first + 1}, r:pick{l.last, #f.code, l.last + 1, l.first}
  return 'scope of a local'
end

local CHANGES = weights{12, 'a', 10, 'b', 8, 'c_or_d', 14, 'jump', 4, 'imm', 10, 'opcode', 12, 'order', 8, 'special', 4, 'removed', 5, 'header', 3, 'constant', 4, 'upvalue', 3, 'nested', 1, 'locals'}

-- All functions, weighted by their sizes.
local function all_functions(f, list)
  list[#list + 1] = {#f.code, f}
  list.total = list.total + #f.code
  for _, nested in ipairs(f.nested) do all_functions(nested, list) end
  return list
end

-- Changes a chunk; returns it, and what was changed.
local function mutate(bytes, r)
  local f, beginning = ChunkFormat.read(bytes)
  local list, said = all_functions(f, {total = 0}), {}
  for _ = 1, r:pick{1, 1, 1, 2, 3} do
    local one = r:weighted(list)
    said[#said + 1] = change[r:weighted(CHANGES)](one, r)
  end
  return ChunkFormat.write(f, beginning), table.concat(said, '; ')
end
Mutants.mutate = mutate

-- Runs a chunk in new surroundings; returns what it said, or nil when the hook had to end it.
local function run(bytes, Environment, hooked)
  local env, lines = Environment.new()
  local exhausted, wrapped = false, nil
  local function end_it() exhausted = true error('too many instructions', 0) end
  env.D = env.DUMP
  if hooked then   -- hooks belong to coroutines
    local function hook(co) debug.sethook(co, end_it, '', MOST_INSTRUCTIONS) return co end
    local create, resume = coroutine.create, coroutine.resume
    wrapped = {}
    for name, f in next, coroutine do wrapped[name] = f end
    wrapped.create = function(f) return hook(create(f)) end
    wrapped.wrap = function(f)
      local wrap = coroutine.wrap(function(...) hook(coroutine.running()) return f(...) end)
      return wrap
    end
    env.coroutine = wrapped
  end
  local chunk, message = load(bytes, '=m', 'b', env)
  if not chunk then return 'refused: ' .. message end
  if hooked then debug.sethook(end_it, '', MOST_INSTRUCTIONS) end
  local ok, e = pcall(chunk, 1, 'two', 3.5)
  debug.sethook()
  if not ok then lines[#lines + 1] = 'error: ' .. (type(e) == 'string' and e or type(e)) end
  local said = Environment.finish(lines)
  if exhausted then return nil end
  return said
end

-- Everything the mutants of a program say. The seed stands in the program's first line.
function Mutants.run(text, Environment, folder, verbose)
  if not opcodes then opcodes, number_of = ChunkFormat.opcodes(folder .. '/../../vm/bytecode/opcodes.def') end
  local chunk, message = load(text, '=p', 't', {})
  if not chunk then return 'does not load: ' .. message end
  local r = Random.new((tonumber(text:match('^%-%- mutants of (%d+)')) or 1) ~ 0x5eed)
  local bytes, all = string.dump(chunk, r:chance(30)), {}
  for k = 1, MUTANTS do
    local mutant, what = mutate(bytes, r)
    if verbose then io.write('mutant ', k, ': ', what, '\n') io.flush() end
    local said = run(mutant, Environment, true)
    if said and not said:find('^refused') then said = run(mutant, Environment, false) end
    all[k] = said or 'did not end by itself'
  end
  return table.concat(all, '\n-- \n')
end

return Mutants
