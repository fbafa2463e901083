// Binary chunks: dumping, loading, and refusing what is damaged or hostile.
#include "vm/bytecode/chunk.h"

#include <gtest/gtest.h>

#include <random>

#include "vm/bytecode/chunk_format.h"
#include "vm/bytecode/disassembler.h"
#include "vm/bytecode/proto.h"
#include "vm/frontend/compile.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// One of every statement and operator, with closures, varargs, loops, goto and variables to be closed.
constexpr std::string_view kProgram = R"lua(
  local count, limit <const>, text = 0, 10, "a long string that is not interned, as it has more than forty bytes"
  local function each(t, ...)
    local sum, first = 0, ...
    for i = 1, #t do sum = sum + t[i] * 2 - limit // 3 end
    for k, v in next, t do
      if v == nil or k ~= v and v < 5 then goto continue end
      count = count + 1
      t[k] = function() count = v; return k .. text .. v end
      ::continue::
    end
    return sum, first, select and select("#", ...)
  end
  local object = { x = 1.5, [2] = true, "one", "two", each({}, 1, 2, 3) }
  function object.method(self, n) self.x = self.x & n | 1 << n; if n > 0 then return self:method(n - 1) end return -n end
  do local guard <close> = nil; repeat local captured = count; object.f = function() return captured end until captured > 0 or true end
  while not object do break end
  return each({ 3, 1, 2 }, nil), object:method(2), count
)lua";

std::string listing(const Proto& proto) {
  std::string out = disassemble(proto);
  for (const Proto* nested : proto.nested) out += listing(*nested);
  return out;
}

Proto* compiled(Vm& vm, std::string_view text = kProgram) {
  const Result<Proto*> proto = compile(vm, text, "@program.lua");
  EXPECT_TRUE(proto.ok());
  return proto.value();
}

std::string load_error(Vm& vm, std::string_view bytes, std::string_view chunk_name = "=chunk") {
  if (load(vm, bytes, chunk_name).ok()) return "no error";
  return std::string(vm.error.as_string()->view());
}

TEST(Chunk, LoadInvertsDump) {
  Vm vm;
  const Proto* const original = compiled(vm);
  const Result<Proto*> loaded = load_chunk(vm, dump_chunk(*original, false), "=other");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(listing(*loaded.value()), listing(*original));
}

TEST(Chunk, StrippedChunksHaveNoDebugInformation) {
  Vm vm;
  const std::string bytes = dump_chunk(*compiled(vm), true);
  const Proto& loaded = *load_chunk(vm, bytes, "=other").value();
  EXPECT_TRUE(loaded.lines.empty());
  EXPECT_TRUE(loaded.locals.empty());
  EXPECT_EQ(loaded.source, nullptr);
  EXPECT_EQ(loaded.upvalues[0].name, nullptr);
  EXPECT_EQ(bytes.find("program.lua"), std::string::npos);
  EXPECT_EQ(dump_chunk(loaded, true), bytes);
}

TEST(Chunk, TheFirstUpvalueIsTheGlobalsTable) {
  Vm vm;
  const LuaFunction& function = *load(vm, "return x", "=text").value();
  ASSERT_EQ(function.upvalue_count(), 1u);
  EXPECT_EQ(function.upvalues[0]->location->as_table(), vm.globals);
}

TEST(Chunk, ModeSaysWhatMayBeLoaded) {
  Vm vm;
  const std::string bytes = dump_chunk(*compiled(vm), false);
  EXPECT_TRUE(load(vm, bytes, "=x", "b").ok());
  EXPECT_TRUE(load(vm, "return 1", "=x", "t").ok());
  EXPECT_FALSE(load(vm, bytes, "=x", "t").ok());
  EXPECT_EQ(vm.error.as_string()->view(), "attempt to load a binary chunk (mode is 't')");
  EXPECT_FALSE(load(vm, "return 1", "=x", "b").ok());
  EXPECT_EQ(vm.error.as_string()->view(), "attempt to load a text chunk (mode is 'b')");
}

// Each would take forty bytes, in a function that takes forty bytes of the chunk.
TEST(Chunk, AFunctionHasNoMoreInlineCachesThanInstructions) {
  Vm vm;
  Proto& proto = *compiled(vm, "x = y");
  proto.caches.resize(proto.original_code.size());
  EXPECT_EQ(load_error(vm, dump_chunk(proto, true)), "no error");
  proto.caches.resize(proto.original_code.size() + 1);
  EXPECT_EQ(load_error(vm, dump_chunk(proto, true)),
            "chunk: bad binary format (more inline caches than instructions)");
}

TEST(Chunk, EveryPrefixIsTruncated) {
  Vm vm;
  const std::string bytes = dump_chunk(*compiled(vm), false);
  for (size_t length = 1; length < bytes.size(); length++) {
    ASSERT_EQ(load_error(vm, std::string_view(bytes).substr(0, length)),
              "chunk: bad binary format (truncated chunk)");
  }
}

TEST(Chunk, DamageIsFound) {
  Vm vm;
  std::string bytes = dump_chunk(*compiled(vm), false);
  bytes.back() ^= 1;
  EXPECT_EQ(load_error(vm, bytes, "@file"), "file: bad binary format (checksum mismatch)");
  bytes[kChunkSignature.size()]++;
  EXPECT_EQ(load_error(vm, bytes, bytes), "binary string: bad binary format (version mismatch)");
  EXPECT_EQ(load_error(vm, "\x1bLuaQ"), "chunk: bad binary format (not a binary chunk)");
}

/// Puts a correct size and checksum into the header again.
void seal(std::string& bytes) {
  const std::string_view payload = std::string_view(bytes).substr(kChunkHeaderBytes);
  const uint64_t size = payload.size();
  const uint32_t checksum = chunk_checksum(payload);
  const size_t at = kChunkSignature.size() + 1;
  for (int i = 0; i < 8; i++) bytes[at + i] = static_cast<char>(size >> (8 * i));
  for (int i = 0; i < 4; i++) bytes[at + 8 + i] = static_cast<char>(checksum >> (8 * i));
}

int polls_left = 0;

/// Ends runaway code: asked at every call and backedge, raises when patience is at its end.
Status poll(Vm& vm) {
  vm.interrupt = true;
  if (polls_left-- > 0) return {};
  return raise_plain(vm, "interrupted");
}

/// Whatever the verifier lets pass may be wrong, slow or useless, but must not crash.
TEST(Chunk, HostileChunksAreRefusedOrHarmless) {
  Vm vm;
  vm.on_interrupt = poll;
  const std::string good = dump_chunk(*compiled(vm), false);
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 20000; round++) {
    std::string bytes = good;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < changes; i++) {
      const size_t at = kChunkHeaderBytes + random() % (bytes.size() - kChunkHeaderBytes);
      switch (random() % 8) {
        case 0:
          bytes.erase(at, 1 + random() % 8);
          break;
        case 1:
          bytes.insert(at, 1 + random() % 8, static_cast<char>(random()));
          break;
        case 2:
          bytes[at] = static_cast<char>(random());
          break;
        default:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      }
    }
    seal(bytes);
    const Result<LuaFunction*> function = load(vm, bytes, "=hostile");
    if (!function.ok()) continue;
    accepted++;
    Value* const slot = vm.current->top;
    *slot = Value::function(function.value());
    vm.current->top = slot + kCallOverheadSlots;
    vm.interrupt = true;
    polls_left = 200;
    static_cast<void>(protected_call(vm, slot, 0, 0, Value::nil()));
    vm.current->top = slot;
    vm.error = Value::nil();
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace mangata
