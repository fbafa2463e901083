-- Binary chunks as tables, and back, with the right checksum (vm/bytecode/chunk_format.h). For programs that change chunks by their structure.
-- Opcodes and their formats are read from the one table of opcodes there is.

local ChunkFormat = {}

local SIGNATURE_BYTES = 47   -- kChunkSignature
local HEADER_BYTES = SIGNATURE_BYTES + 1 + 8 + 4
local NIL, FALSE, TRUE, INTEGER, FLOAT, STRING = 0, 1, 2, 3, 4, 5

-- Name, operand format and control flow of each opcode, by its number.
function ChunkFormat.opcodes(file)
  local list, numbers = {}, {}
  for line in io.lines(file) do
    local name, format, flow = line:match('^OP%((%w+), (%w+), (%w+),')
    if name then
      numbers[name] = #list
      list[#list + 1] = {name = name, format = format, flow = flow}
    end
  end
  return list, numbers
end

local function reader(bytes)
  local at, self = HEADER_BYTES + 1, {}
  function self.fixed(format)
    local value
    value, at = string.unpack(format, bytes, at)
    return value
  end
  function self.number()
    local value, shift = 0, 0
    repeat
      local byte = self.fixed('B')
      value, shift = value | (byte & 0x7f) << shift, shift + 7
    until byte < 0x80
    return value
  end
  function self.string()
    local size = self.number()
    if size == 0 then return nil end
    at = at + size - 1
    return bytes:sub(at - size + 1, at - 1)
  end
  function self.list(item)
    local list = {}
    for i = 1, self.number() do list[i] = item() end
    return list
  end
  return self
end

local function read_function(r)
  local f = {source = r.string(), first_line = r.number(), last_line = r.number(), parameters = r.fixed('B'), vararg = r.fixed('B'), slots = r.fixed('B'), caches = r.number()}
  f.code = r.list(function() return {op = r.fixed('B'), a = r.fixed('B'), b = r.fixed('<I2'), imm = r.fixed('<i4')} end)
  f.constants = r.list(function()
    local tag = r.fixed('B')
    return {tag = tag, value = (tag == INTEGER or tag == FLOAT) and r.fixed('<i8') or tag == STRING and r.string() or nil}
  end)
  f.upvalues = r.list(function() return {name = r.string(), from_parent = r.fixed('B'), index = r.fixed('B'), kind = r.fixed('B')} end)
  f.nested = r.list(function() return read_function(r) end)
  f.lines = r.list(r.number)
  f.locals = r.list(function() return {name = r.string(), first = r.number(), last = r.number()} end)
  return f
end

function ChunkFormat.read(bytes) return read_function(reader(bytes)), bytes:sub(1, SIGNATURE_BYTES + 1) end

local function writer()
  local parts, self = {}, {}
  function self.fixed(format, value) parts[#parts + 1] = string.pack(format, value) end
  function self.number(value)
    while value >= 0x80 or value < 0 do
      self.fixed('B', value & 0x7f | 0x80)
      value = value >> 7
    end
    self.fixed('B', value)
  end
  function self.string(text)
    self.number(text and #text + 1 or 0)
    parts[#parts + 1] = text
  end
  function self.list(list, item)
    self.number(#list)
    for _, value in ipairs(list) do item(value) end
  end
  function self.bytes() return table.concat(parts) end
  return self
end

local function write_function(w, f)
  w.string(f.source) w.number(f.first_line) w.number(f.last_line)
  w.fixed('B', f.parameters) w.fixed('B', f.vararg) w.fixed('B', f.slots)
  w.number(f.caches)
  w.list(f.code, function(i) w.fixed('B', i.op) w.fixed('B', i.a) w.fixed('<I2', i.b) w.fixed('<i4', i.imm) end)
  w.list(f.constants, function(c)
    w.fixed('B', c.tag)
    if c.tag == INTEGER or c.tag == FLOAT then w.fixed('<i8', c.value) elseif c.tag == STRING then w.string(c.value) end
  end)
  w.list(f.upvalues, function(u) w.string(u.name) w.fixed('B', u.from_parent) w.fixed('B', u.index) w.fixed('B', u.kind) end)
  w.list(f.nested, function(n) write_function(w, n) end)
  w.list(f.lines, w.number)
  w.list(f.locals, function(l) w.string(l.name) w.number(l.first) w.number(l.last) end)
end

function ChunkFormat.write(f, beginning)
  local w = writer()
  write_function(w, f)
  local payload, checksum = w.bytes(), 0x811c9dc5
  for i = 1, #payload do checksum = (checksum ~ payload:byte(i)) * 0x01000193 & 0xffffffff end
  return beginning .. string.pack('<I8I4', #payload, checksum) .. payload
end

return ChunkFormat
