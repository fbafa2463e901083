// What is known of registers: at chosen lines of small functions, and against what registers hold when random
// functions run.
#include "jit/baseline/known_types.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/jit/compiled_machine.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native.h"
#include "vm/operations/debug_info.h"

namespace mangata::jit {
namespace {

std::string_view text_of(NumberKind kind) {
  return kind == NumberKind::Integer ? "int" : kind == NumberKind::Float ? "float"
                                                                         : "?";
}

/// The local variables before the first instruction of a line, as "a=int b=?"; of the function that begins in
/// line 1.
std::string kinds_at(int line, const std::string& text, bool likely = false) {
  Vm vm;
  const auto chunk = load(vm, text, "=test");
  if (!chunk.ok()) return "does not load";
  const Proto& proto = *chunk.value()->proto->nested.at(0);
  KnownTypes types(proto, proto.code, proto.code_length(), {}, CodePc{proto.code_length()});
  for (int pc = 0; pc < proto.code_length(); ++pc) {
    types.move_to(CodePc(pc));
    if (proto.line_at(OriginalPc(pc)) != line) continue;
    std::string found;
    int reg = 0;
    for (const LocalVariable& local : proto.locals) {
      if (local.start_pc > pc || pc >= local.end_pc) continue;
      const NumberKind kind = likely ? types.likely_kind(Register(reg)) : types.kind(Register(reg));
      ++reg;
      if (local.name->view()[0] == '(') continue;
      if (!found.empty()) found += ' ';
      found += std::string(local.name->view()) + '=' + std::string(text_of(kind));
    }
    return found;
  }
  return "no such line";
}

TEST(KnownTypes, ConstantsAndWhatOperatorsMakeOfThem) {
  EXPECT_EQ(kinds_at(5, R"(local function f(p)
    local i, x, s, b, n = 1, 1.5, 's', true, nil
    local sum, quotient, power, floor, mixed = i + 2, i / 2, i ^ 2, i // 2, i * x
    local bits, negated, inverted, unknown = i & 3, -x, ~i, p + 1
    return p
  end)"),
            "p=? i=int x=float s=? b=? n=? sum=int quotient=float power=float floor=int mixed=float "
            "bits=int negated=float inverted=int unknown=?");
}

TEST(KnownTypes, StringsMayBecomeAnyNumberAndFloatsMayHaveMetamethodsOfBitwiseOperators) {
  EXPECT_EQ(kinds_at(4, R"(local function f(p)
    local s, x = '10', 2.0
    local a, b, c, d = s + 1, s / 2, x & 1, ~x
    return p
  end)"),
            "p=? s=? x=float a=? b=? c=? d=?");
}

TEST(KnownTypes, LoopsOverIntegers) {
  EXPECT_EQ(kinds_at(4, R"(local function f(n)
    local sum, half = 0, 0
    for i = 1, n do
      sum = sum + i
      half = sum / 2
    end
  end)"),
            "n=? sum=int half=? i=int");
  EXPECT_EQ(kinds_at(3, "local function f(n)\n for i = n, 1, -1 do\n f(i) end end"), "n=? i=?");
  EXPECT_EQ(kinds_at(3, "local function f(n)\n for i = 1, 9, n do\n f(i) end end"), "n=? i=?");
}

TEST(KnownTypes, LoopsOverFloats) {
  EXPECT_EQ(kinds_at(3, "local function f(n)\n for x = 0.0, n do\n f(x) end end"), "n=? x=float");
  EXPECT_EQ(kinds_at(3, "local function f(n)\n for x = 1, n, 0.5 do\n f(x) end end"), "n=? x=float");
  EXPECT_EQ(kinds_at(3, "local function f(n)\n for x = 1, 2.5 do\n f(x) end end"), "n=? x=int")
      << "the limit is rounded";
}

TEST(KnownTypes, PathsAreJoined) {
  EXPECT_EQ(kinds_at(4, R"(local function f(p)
    local same, other, new = 1, 1
    if p then same = 2 other = 2.5 new = 3 else new = 4 end
    return p
  end)"),
            "p=? same=int other=? new=int");
}

TEST(KnownTypes, WhatTheEndOfALoopChangesIsUnknownAtItsBeginning) {
  const std::string text = R"(local function f(p)
    local a, b, c = 1, 1, 1
    while p do
      p = f(a, b, c)
      a = a + 1
      b = b / 2
      b, c = 7, p
    end
    return p
  end)";
  EXPECT_EQ(kinds_at(4, text), "p=? a=int b=int c=?");
  EXPECT_EQ(kinds_at(7, text), "p=? a=int b=float c=?");
  EXPECT_EQ(kinds_at(9, text), "p=? a=int b=int c=?");
  EXPECT_EQ(
      kinds_at(3, "local function f(p) local a = 1 ::again::\n local b = a\n a = a * 1.5 goto again end"),
      "p=? a=? b=?");
}

TEST(KnownTypes, CallsLeaveWhatLiesBelowThemAlone) {
  EXPECT_EQ(kinds_at(5, R"(local function f(p)
    local a, x = 1, 1.5
    local b = p(a, x)
    local c = p.q + (p)(1)
    return p
  end)"),
            "p=? a=int x=float b=? c=?");
  EXPECT_EQ(kinds_at(4, R"(local function f(p)
    local a = 1
    for k, v in p do
      a = a + 1
    end
  end)"),
            "p=? a=int k=? v=?");
}

TEST(KnownTypes, ClosuresMayChangeWhatTheyCapture) {
  EXPECT_EQ(kinds_at(5, R"(local function f(p)
    local captured, own = 1, 1
    local function change() captured = p end
    change()
    return own
  end)"),
            "p=? captured=? own=int change=?");
}

TEST(KnownTypes, UpvaluesAreUnknownAndWritingThemChangesNoRegister) {
  EXPECT_EQ(kinds_at(6, R"(local function f(p)
    local a = 1
    global = a
    f = a
    local b, c = f, global
    return p
  end)"),
            "p=? a=int b=? c=?");
}

TEST(KnownTypes, ConditionsAsValues) {
  EXPECT_EQ(kinds_at(3, "local function f(p)\n local a, b, c, d = p or 1, p and 1, not p, 2\n return p end"),
            "p=? a=? b=? c=? d=int");
}

TEST(KnownTypes, VarargsAreUnknown) {
  EXPECT_EQ(kinds_at(4, "local function f(p, ...)\n local a = 1\n local b, c = ...\n return p end"),
            "p=? a=int b=? c=?");
}

TEST(KnownTypes, WhatIsLikelyGoesFurtherThanWhatIsKnown) {
  const std::string text = R"(local function f(p)
    local x, i, u = p * 1.5, p | 1, p + p
    return p
  end)";
  EXPECT_EQ(kinds_at(3, text), "p=? x=? i=? u=?");
  EXPECT_EQ(kinds_at(3, text, true), "p=? x=float i=int u=?");
}

/// A random function of numbers: it changes its variables, also from closures and in loops, and calls what it
/// is given.
class RandomFunction {
 public:
  explicit RandomFunction(uint64_t seed) : random_(seed) {}

  std::string text() {
    line("local function g(...) return ... end");
    line("local function f(p, q, ...)");
    for (const char* name : {"p", "q"}) names_.push_back(name);
    for (int i = 0; i < 4; ++i) declare();
    block(3, 8);
    line("end");
    for (const char* arguments : {"", "1, 2", "1.5, 3", "2, 0.5, 4", "'10', 7", "{}, 1"})
      line(std::string("try(f, ") + arguments + (*arguments ? ")" : "nil)"));
    return text_;
  }

 private:
  size_t below(size_t n) { return random_() % n; }
  void line(const std::string& text) { text_ += text + "\n"; }
  std::string name() { return names_[below(names_.size())]; }
  std::string pick(std::vector<std::string> texts) { return texts[below(texts.size())]; }
  std::string fresh() { return "v" + std::to_string(count_++); }

  std::string value(int depth = 2) {
    if (depth == 0 || below(3) == 0)
      return pick(
          {name(), name(), name(), "1", "7", "-3", "0.5", "2.0", "'4'", "nil", "(g(" + name() + "))"});
    const std::string left = value(depth - 1), right = value(depth - 1);
    return pick({"(" + left + pick({" + ", " - ", " * ", " / ", " % ", " // ", " ^ "}) + right + ")",
                 "(" + left + pick({" & ", " | ", " ~ ", " << "}) + right + ")", "-" + left, "~" + left,
                 "(" + left + pick({" and ", " or "}) + right + ")", left});
  }
  std::string condition() {
    return pick({name(), "not " + name(), name() + " == " + value(1), "g(" + name() + ")"});
  }
  void declare() {
    const std::string text = value();
    names_.push_back(fresh());
    line("local " + names_.back() + " = " + text);
  }
  void block(int depth, size_t most) {
    const size_t visible = names_.size();
    for (size_t n = 1 + below(most); n > 0; --n) statement(depth);
    names_.resize(visible);
  }
  void statement(int depth) {
    switch (below(depth > 0 ? 10 : 4)) {
      case 0:
        return declare();
      case 1:
      case 2:
        return line(name() + " = " + value());
      case 3:
        return line(name() + ", " + name() + " = " +
                    pick({"g(" + name() + ", " + value(1) + ")", name() + ", " + name(), "..."}));
      case 4:
        line("if " + condition() + " then");
        block(depth - 1, 3);
        if (below(2) == 0) line("else"), block(depth - 1, 3);
        return line("end");
      case 5:
      case 6: {
        const std::string range = pick({"1, 3", "1.0, 2", "3, 1, -1", name() + ", 4", "1, " + name(),
                                        "1, 2, 0.5", "2, 2.5", "1, 2, " + name()});
        const size_t visible = names_.size();
        const std::string index = fresh();
        line("for " + index + " = " + range + " do stop()");
        names_.push_back(index);
        block(depth - 1, 3);
        names_.resize(visible);
        return line("end");
      }
      case 7: {
        const std::string round = fresh();
        line("local " + round + " = 0");
        line("while " + round + " < 3 do " + round + " = " + round + " + 1");
        block(depth - 1, 3);
        return line("end");
      }
      case 8:
        return line("(function() " + name() + " = " + value(1) + " end)()");
      default:
        return line("do local k = g(" + name() + ") " + name() + " = k end");
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> names_;
  std::string text_;
  int count_ = 0;
};

/// Looks at the registers before each instruction.
class Observer {
 public:
  void look(const Value* base, const Proto& proto, int pc) {
    if (!kinds_.contains(&proto)) kinds_[&proto] = analyse(proto);
    const std::vector<NumberKind>& kinds = kinds_[&proto];
    for (int reg = 0; reg < proto.max_stack_slots; ++reg) {
      const NumberKind kind =
          kinds[static_cast<size_t>(pc) * proto.max_stack_slots + static_cast<size_t>(reg)];
      if (kind == NumberKind::Unknown) continue;
      ++known;
      if (kind == NumberKind::Integer ? !base[reg].is_integer() : !base[reg].is_float()) {
        wrong += "register " + std::to_string(reg) + " at " + std::to_string(pc) + " is no " +
                 std::string(text_of(kind)) + "\n";
      }
    }
  }
  void forget() { kinds_.clear(); }

  uint64_t known = 0;
  std::string wrong;

 private:
  static std::vector<NumberKind> analyse(const Proto& proto) {
    KnownTypes types(proto, proto.code, proto.code_length(), {}, CodePc{proto.code_length()});
    std::vector<NumberKind> kinds;
    for (int pc = 0; pc < proto.code_length(); ++pc) {
      types.move_to(CodePc(pc));
      for (int reg = 0; reg < proto.max_stack_slots; ++reg) kinds.push_back(types.kind(Register(reg)));
    }
    return kinds;
  }
  std::map<const Proto*, std::vector<NumberKind>> kinds_;
};

Observer observer;
int loop_rounds = 0;

Result<int> look(Call& call) {
  Value* base = caller_base(call.base());
  if (frame_of(base)->is_lua())
    observer.look(base, *function_slot(base)->as_lua_function()->proto, value_of(current_pc(base)));
  return call.ret();
}
/// try(f, ...): errors end the call only.
Result<int> try_call(Call& call) {
  Value* top = call.thread().top;
  loop_rounds = 0;
  for (int i = 0; i < kCallOverheadSlots; ++i) call.thread().top[i].set_nil();
  top[0] = call[0];
  for (int i = 1; i < call.count(); ++i) top[kCallOverheadSlots + i - 1] = call[i];
  call.thread().top = top + kCallOverheadSlots + call.count() - 1;
  (void)protected_call(call.vm(), top, call.count() - 1, 0, Value::nil());
  return call.ret();
}
Result<int> stop(Call& call) {
  if (++loop_rounds > 200) return call.error("enough");
  return call.ret();
}

TEST(KnownTypes, RegistersHoldWhatIsKnownOfThem) {
  observer = {};
  for (uint64_t seed = 0; seed < 400; ++seed) {
    CompiledMachine machine;
    Vm& vm = machine.vm;
    vm.hooks = nullptr;  // interpreted
    const auto define = [&vm](const char* name, Result<int> (*function)(Call&)) {
      const Value value = Value::function(vm.new_native(function, name));
      ASSERT_TRUE(table_set_string(vm, vm.globals, vm.intern(name), value).ok());
    };
    define("try", try_call);
    define("stop", stop);
    Thread& thread = *vm.main_thread;
    thread.hook_function = Value::function(vm.new_native(look, "look"));
    thread.hook_count = thread.hook_count_left = 1;
    thread.hook_mask = kHookCount;
    const std::string text = RandomFunction(seed).text();
    machine.run(text);
    observer.forget();
    ASSERT_EQ(observer.wrong, "") << text;
  }
  EXPECT_GT(observer.known, 50000u);
}

}  // namespace
}  // namespace mangata::jit
