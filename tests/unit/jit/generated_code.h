// Code that objects of jit/build write, from states made by hand, and run: by the interpreter of the IR, on a virtual machine. Calls reach
// what the runtime has for them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "jit/abi/region_runtime.h"
#include "jit/build/register_file.h"
#include "jit/ir/text.h"
#include "jit/ir/verifier.h"
#include "tests/unit/jit_quick/ir_interpreter.h"
#include "vm/interpreter/path_event.h"
#include "vm/object/frame.h"
#include "vm/vm.h"

namespace mangata::jit {

inline uint64_t word_of(const void* address) { return reinterpret_cast<uint64_t>(address); }

/// Of nil and booleans nothing has to be in the payload.
inline bool is_same(const Value& a, const Value& b) { return a.tag == b.tag && (a.tag <= Tag::True || a.payload == b.payload); }

/// So many instructions; all registers are live before each of them, and behind the last.
inline void make_code(RegionFunction* function, size_t count) {
  function->code.resize(count, Instruction::abcd(Opcode::Move, 0));
  if (function->address == nullptr) function->address = function->code.data();
  for (size_t pc = 0; pc <= count; ++pc) function->original_pcs.push_back(OriginalPc(pc));
  function->live.resize(count + 1, RegisterSet().set());
}

/// Calls a function of the runtime with words as the interpreter of the IR has them; of what it returns, the first word.
template <const void* RegionRuntime::* function, typename Signature>
struct CalledWithWords;
template <const void* RegionRuntime::* function, typename Result, typename... Parameters>
struct CalledWithWords<function, Result(Parameters...)> {
  template <typename Parameter>
  static Parameter as(uint64_t word) {
    if constexpr (std::is_reference_v<Parameter>) {
      return *reinterpret_cast<std::remove_reference_t<Parameter>*>(word);
    } else if constexpr (std::is_pointer_v<Parameter>) {
      return reinterpret_cast<Parameter>(word);
    } else if constexpr (std::is_same_v<Parameter, double>) {
      return std::bit_cast<double>(word);
    } else {
      return static_cast<Parameter>(word);
    }
  }
  static uint64_t word(const auto& result) {
    if constexpr (std::is_same_v<Result, Value>) {
      return result.payload;
    } else if constexpr (std::is_pointer_v<Result>) {
      return word_of(result);
    } else if constexpr (std::is_same_v<Result, double>) {
      return std::bit_cast<uint64_t>(result);
    } else {
      return static_cast<uint64_t>(result);
    }
  }
  template <size_t... index>
  static uint64_t call(std::span<const uint64_t> words, std::index_sequence<index...>) {
    static const RegionRuntime kRuntime = region_runtime();
    auto* const called = reinterpret_cast<Result (*)(Parameters...)>(reinterpret_cast<uintptr_t>(kRuntime.*function));
    if constexpr (std::is_void_v<Result>) {
      called(as<Parameters>(words[index])...);
      return 0;
    } else {
      return word(called(as<Parameters>(words[index])...));
    }
  }
  static uint64_t call(std::span<const uint64_t> words) { return call(words, std::index_sequence_for<Parameters...>()); }
};

/// All that RegionRuntime has, but for the functions of single opcodes.
inline std::vector<ir::Interpreter::Known> runtime_callees() {
  const RegionRuntime runtime = region_runtime();
  std::vector<ir::Interpreter::Known> all;
#define RUNTIME_CALL(name, function, is_safepoint, result, parameters) \
  all.push_back({word_of(runtime.name), &CalledWithWords<&RegionRuntime::name, result parameters>::call});
#define OPCODE_CALL(...)
#include "jit/abi/region_runtime.def"
  return all;
}

class GeneratedCode {
 public:
  /// In a frame with so many registers, above whatever the machine's main thread has on its stack.
  explicit GeneratedCode(Vm& machine, int register_count = 8) : vm(machine), base(machine.main_thread->base + kFirstSlot) {
    root.register_count = register_count;
    walk.state.slots.resize(static_cast<size_t>(register_count));
    walk.state.frames.push_back({.function = &root});
    ir::Function& function = module.functions.emplace_back("region");
    for (int i = 0; i < 3; ++i) function.add_parameter(IrType::Pointer);
    function.add_result(IrType::I64);
    b.begin(&function);
    b.set_position(b.make_block("entry"));
  }

  /// A value that nothing is known of but what kind it is, or (Any) not even that.
  Operand unknown(const Value& value, bool knows_kind = true) {
    const Value& cell = cells_.emplace_back(value);
    Operand operand = b.load_value(b.address_constant(&cell), Memory::Any);
    if (!knows_kind) return operand;
    operand.kind = kind_of(value.tag);
    operand.tag = {};
    if (operand.kind == Kind::Float) operand.payload = b.float_of_bits(operand.payload);
    if (!has_payload(operand.kind)) operand.payload = {};
    return operand;
  }
  /// What is called in the place of a function of the runtime.
  void replace_callee(const void* function, ir::Interpreter::Callee callee) {
    std::erase_if(callees, [&](const ir::Interpreter::Known& known) { return known.address == word_of(function); });
    callees.push_back({word_of(function), callee});
  }
  /// Where code may leave something.
  Value& cell() { return cells_.emplace_back(Value::nil()); }
  void write(const Operand& value, Value& to) { b.store_value(value, b.address_constant(&to), Memory::Any); }
  void write(IrValue word, Value& to) { b.store(word, b.address_constant(&to.payload), Memory::Any); }

  /// What is written next runs where the cell holds that word; returned is the block for where it does not.
  Block begin_case(const Value& cell, uint64_t word) {
    const Block here = b.make_block("case"), other = b.make_block("other");
    b.branch(b.eq(b.load(IrType::I64, b.address_constant(&cell.payload), Memory::Any), b.word(word)), here, other);
    b.set_position(here);
    return other;
  }

  /// Of the whole function, each of whose blocks has been ended.
  uint64_t run() {
    const std::string problem = ir::verify(module);
    EXPECT_EQ(problem, "");
    if (!problem.empty()) return ~uint64_t{0};
    const uint64_t arguments[] = {word_of(vm.main_thread), word_of(base), word_of(&vm)};
    const auto results = ir::Interpreter(module, callees).run(0, arguments);
    EXPECT_TRUE(results) << ir::to_text(module);
    return results ? results->front() : ~uint64_t{0};
  }
  /// The block under construction ends the function.
  uint64_t finish_and_run(uint64_t result = 0) {
    b.return_status(b.word(result));
    return run();
  }

  /// Operations of the block under construction.
  ptrdiff_t count(ir::Opcode op) const {
    const std::vector<ir::Value>& all = b.function()[b.position()].operations;
    return std::count_if(all.begin(), all.end(), [&](ir::Value value) { return b.function()[value].op == op; });
  }

  Vm& vm;
  const RegionRuntime runtime = region_runtime();
  std::vector<ir::Interpreter::Known> callees = runtime_callees();
  Value* const base;  ///< R[0] of the region's frame
  ir::Module module;
  RegionFunction root;
  RunningWalk walk;
  Writer b;
  RegisterFile registers{b, walk, root};

 private:
  static constexpr int kFirstSlot = 16;
  std::deque<Value> cells_;
};

}  // namespace mangata::jit
