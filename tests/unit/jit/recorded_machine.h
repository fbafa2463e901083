// A virtual machine without libraries whose interpreter is watched from the first instruction: feedback for the optimizer, from texts.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "jit/region/type_recorder.h"
#include "vm/bytecode/chunk.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/interpreter.h"
#include "vm/object/function.h"
#include "vm/object/table.h"
#include "vm/operations/operations.h"
#include "vm/vm.h"

namespace mangata::jit {

class RecordedMachine : public TierHooks, public InstructionRecorder {
 public:
  RecordedMachine() {
    vm.hooks = this;
    vm.recorder = this;
  }
  ~RecordedMachine() override { vm.hooks = nullptr; }

  /// Runs a chunk under the recorder. Returns its main function, which the machine keeps.
  Proto& run(std::string_view text) {
    LuaFunction* main = load(vm, text, "=test").value();
    Value* function = vm.main_thread->top;
    function[0] = Value::function(main);
    function[1].set_nil();
    function[2].set_nil();
    vm.main_thread->top = function + kCallOverheadSlots;
    vm.main_thread->hook_mask |= kRecording;
    EXPECT_TRUE(protected_call(vm, function, 0, 0, Value::nil())) << text;
    vm.main_thread->hook_mask &= static_cast<uint8_t>(~kRecording);
    return *main->proto;
  }
  /// What the instruction met, the `index`-th one of that opcode.
  const SiteTypes& site(const Proto& proto, Opcode op, int index = 0) const { return (*recorder.sites(proto))[static_cast<size_t>(pc_of(proto, op, index))]; }
  static int pc_of(const Proto& proto, Opcode op, int index = 0) {
    for (size_t pc = 0; pc < proto.original_code.size(); ++pc) {
      if (proto.original_code[pc].op == op && index-- == 0) return static_cast<int>(pc);
    }
    ADD_FAILURE() << "there is no such instruction";
    return 0;
  }

  Value global(std::string_view name) { return table_get_string(vm.globals, vm.intern(name)); }

  void proto_created(Proto&) override {}
  void proto_destroyed(Proto& proto) override { recorder.forget(proto); }
  void path_cut(Proto&, const Value*) override {}
  void instruction_starts(Thread& thread, Proto& proto, OriginalPc pc) noexcept override { recorder.instruction(thread, proto, pc); }

  Vm vm;
  TypeRecorder recorder;
};

}  // namespace mangata::jit
