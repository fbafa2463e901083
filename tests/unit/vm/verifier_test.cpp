// vm/bytecode/verifier: what the compiler makes passes, and each kind of hostile code is found. Also
// vm/bytecode/cfg.
#include "vm/bytecode/verifier.h"

#include <gtest/gtest.h>

#include "vm/bytecode/cfg.h"
#include "vm/frontend/compile.h"

namespace mangata {
namespace {

/// A function with the given code, registers 0..9 and 3 parameters; constants: "name", 5, 1.5, nil.
class VerifierTest : public testing::Test {
 protected:
  Proto& function(std::vector<Instruction> code) {
    Proto& proto = *vm_.new_proto();
    proto.original_code = std::move(code);
    proto.max_stack_slots = 10;
    proto.parameter_count = 3;
    proto.constants = {vm_.string_value("name"), Value::integer(5), Value::number(1.5), Value::nil()};
    proto.caches.resize(2);
    proto.upvalues.push_back({nullptr, true, 0, 0});
    return proto;
  }
  std::string problem_of(std::vector<Instruction> code) { return verify(function(std::move(code))); }

  Vm vm_;
};

Instruction op(Opcode opcode, int a = 0, int b = 0, int c = 0, int d = 0) {
  return Instruction::abcd(opcode, a, b, c, d);
}
Instruction imm(Opcode opcode, int a, int b, int value) { return Instruction::abi(opcode, a, b, value); }

constexpr int kNoCache = kNoInlineCache;

TEST_F(VerifierTest, CodeMustEnd) {
  EXPECT_EQ(problem_of({op(Opcode::Return0)}), "");
  EXPECT_EQ(problem_of({}), "no code");
  EXPECT_EQ(problem_of({op(Opcode::LoadTrue)}), "pc 0: code does not end with a return");
}

TEST_F(VerifierTest, OperandsAreInRange) {
  EXPECT_EQ(problem_of({op(Opcode::Move, 9, 2), op(Opcode::Return0)}), "");
  EXPECT_EQ(problem_of({op(Opcode::Move, 10, 2), op(Opcode::Return0)}), "pc 0: register out of range");
  EXPECT_EQ(problem_of({op(Opcode::Move, 0, 300), op(Opcode::Return0)}), "pc 0: register out of range");
  EXPECT_EQ(problem_of({imm(Opcode::LoadConstant, 0, 0, 4), op(Opcode::Return0)}),
            "pc 0: constant out of range");
  EXPECT_EQ(problem_of({imm(Opcode::LoadConstant, 0, 0, -1), op(Opcode::Return0)}),
            "pc 0: constant out of range");
  EXPECT_EQ(problem_of({op(Opcode::GetUpvalue, 0, 1), op(Opcode::Return0)}), "pc 0: upvalue out of range");
  EXPECT_EQ(problem_of({imm(Opcode::Closure, 0, 0, 0), op(Opcode::Return0)}), "pc 0: function out of range");
  EXPECT_EQ(problem_of({op(Opcode::LoadNil, 8, 3), op(Opcode::Return0)}), "pc 0: register out of range");
  EXPECT_EQ(problem_of({op(Opcode::Call, 0, 9, 1), op(Opcode::Return0)}), "pc 0: register out of range");
  EXPECT_EQ(problem_of({op(Opcode::PathEvent), op(Opcode::Return0)}), "pc 0: instrumentation in a chunk");
}

TEST_F(VerifierTest, ConstantsHaveTheTypeTheyNeed) {
  EXPECT_EQ(problem_of({op(Opcode::GetField, 0, 1, 0, 0), op(Opcode::Return0)}), "");
  EXPECT_EQ(problem_of({op(Opcode::GetField, 0, 1, 1, 0), op(Opcode::Return0)}), "pc 0: field name expected");
  EXPECT_EQ(problem_of({op(Opcode::AddConstant, 0, 1, 0), op(Opcode::Return0)}), "pc 0: number expected");
  EXPECT_EQ(problem_of({op(Opcode::AddConstant, 0, 1, 1, kSubtractsZero), op(Opcode::Return0)}),
            "pc 0: zero expected");
  EXPECT_EQ(problem_of({op(Opcode::BitAndConstant, 0, 1, 2), op(Opcode::Return0)}), "pc 0: integer expected");
  EXPECT_EQ(problem_of({imm(Opcode::JumpIfLessConstant, 0, 3, 0), op(Opcode::Return0)}),
            "pc 0: number expected");
}

TEST_F(VerifierTest, AnInlineCacheBelongsToOneInstruction) {
  const auto get = [](int cache) { return op(Opcode::GetField, 0, 1, 0, cache); };
  EXPECT_EQ(problem_of({get(0), get(1), get(kNoCache), get(kNoCache), op(Opcode::Return0)}), "");
  EXPECT_EQ(problem_of({get(0), get(0), op(Opcode::Return0)}), "pc 1: bad inline cache");
  EXPECT_EQ(problem_of({get(2), op(Opcode::Return0)}), "pc 0: bad inline cache");
}

TEST_F(VerifierTest, OnlyBackedgesGoBack) {
  EXPECT_EQ(problem_of({imm(Opcode::Jump, 1, 0, -1)}), "");
  EXPECT_EQ(problem_of({imm(Opcode::Jump, 0, 0, -1)}), "pc 0: bad direction of a jump");
  EXPECT_EQ(problem_of({imm(Opcode::JumpIfTrue, 0, 0, -1), op(Opcode::Return0)}),
            "pc 0: bad direction of a jump");
  EXPECT_EQ(problem_of({imm(Opcode::Jump, 0, 0, 1), op(Opcode::Return0)}), "pc 0: jump out of range");
  EXPECT_EQ(problem_of({imm(Opcode::Jump, 1, 0, INT32_MIN)}), "pc 0: jump out of range");
}

TEST_F(VerifierTest, NothingJumpsBackToTheVarargPrologue) {
  const auto vararg = [&](std::vector<Instruction> code) {
    code.insert(code.begin(), op(Opcode::PrepareVararg, 0, 3));
    Proto& proto = function(std::move(code));
    proto.is_vararg = true;
    return verify(proto);
  };
  EXPECT_EQ(vararg({op(Opcode::LoadTrue, 3), imm(Opcode::Jump, 1, 0, -2)}), "");
  EXPECT_EQ(vararg({op(Opcode::LoadTrue, 3), imm(Opcode::Jump, 1, 0, -3)}),
            "pc 2: jump to the vararg prologue");
  EXPECT_EQ(problem_of({op(Opcode::LoadTrue, 3), imm(Opcode::Jump, 1, 0, -2)}), "");
}

// Their safepoints let a collection free what lies there.
TEST_F(VerifierTest, RegistersAboveANewObjectAreDead) {
  const Instruction end = op(Opcode::Return0);
  const auto then_read = [&](std::vector<Instruction> code, int reg) {
    code.push_back(op(Opcode::Move, 0, reg));
    code.push_back(end);
    return problem_of(std::move(code));
  };
  EXPECT_EQ(then_read({op(Opcode::NewTable, 2)}, 2), "");
  EXPECT_EQ(then_read({op(Opcode::NewTable, 1)}, 2), "pc 1: register without a value");
  EXPECT_EQ(then_read({op(Opcode::Concat, 0, 2)}, 0), "");
  EXPECT_EQ(then_read({op(Opcode::Concat, 0, 2)}, 1), "pc 1: register without a value");
  EXPECT_EQ(then_read({op(Opcode::NewTable, 3), op(Opcode::LoadTrue, 4), imm(Opcode::SetList, 3, 1, 0)}, 4),
            "pc 3: register without a value");
  const auto closure = [&](int captured, int reg) {
    Proto& inner = function({end});
    inner.upvalues[0] = {nullptr, true, static_cast<uint8_t>(captured), 0};
    Proto& outer =
        function({imm(Opcode::Closure, 1, 0, 0), op(Opcode::Move, 0, reg), op(Opcode::Return, 0, 1, 1)});
    outer.nested.push_back(&inner);
    return verify(outer);
  };
  EXPECT_EQ(closure(1, 1), "");
  EXPECT_EQ(closure(0, 2), "pc 1: register without a value");
  EXPECT_EQ(closure(2, 1), "pc 0: a captured variable is overwritten");
}

TEST_F(VerifierTest, RegistersAreWrittenBeforeTheyAreRead) {
  EXPECT_EQ(problem_of({op(Opcode::Move, 0, 3), op(Opcode::Return0)}), "pc 0: register without a value");
  EXPECT_EQ(problem_of({imm(Opcode::JumpIfTrue, 0, 0, 1), op(Opcode::LoadTrue, 5), op(Opcode::Return1, 5)}),
            "pc 2: register without a value");
  // What lies above the function of a call is gone after it.
  EXPECT_EQ(problem_of({op(Opcode::LoadTrue, 5), op(Opcode::Call, 3, 1, 1), op(Opcode::Return0)}),
            "pc 1: register without a value");
  EXPECT_EQ(problem_of({op(Opcode::LoadTrue, 5), op(Opcode::LoadTrue, 3), op(Opcode::Call, 3, 1, 1),
                        op(Opcode::Return1, 5)}),
            "pc 3: register without a value");
}

TEST_F(VerifierTest, OpenResultsAreUsedAtOnce) {
  const Instruction open_call = op(Opcode::Call, 0, 1, 0);
  EXPECT_EQ(problem_of({open_call, op(Opcode::Return, 0, 0)}), "");
  EXPECT_EQ(problem_of({open_call, op(Opcode::Return0)}), "pc 1: open results are not used at once");
  EXPECT_EQ(problem_of({op(Opcode::Return, 0, 0)}), "pc 0: open results are not used at once");
  EXPECT_EQ(problem_of({op(Opcode::LoadTrue, 4), op(Opcode::Call, 4, 1, 0), op(Opcode::Call, 2, 0, 1),
                        op(Opcode::Return0)}),
            "pc 2: open results begin too low");
}

TEST_F(VerifierTest, SetListNeedsANewTable) {
  const Instruction set_list = imm(Opcode::SetList, 3, 1, 0);
  EXPECT_EQ(problem_of({op(Opcode::NewTable, 3), op(Opcode::LoadTrue, 4), set_list, op(Opcode::Return0)}),
            "");
  EXPECT_EQ(problem_of({op(Opcode::Move, 3, 0), op(Opcode::LoadTrue, 4), set_list, op(Opcode::Return0)}),
            "pc 2: SetList without a new table");
}

TEST_F(VerifierTest, LoopsKeepTheirHiddenVariables) {
  const Instruction prepare = imm(Opcode::ForPrepare, 0, 0, 2);
  const Instruction loop = imm(Opcode::ForLoop, 0, 0, -2);
  const Instruction end = op(Opcode::Return0);
  EXPECT_EQ(problem_of({prepare, op(Opcode::Move, 4, 3), loop, end}), "");
  EXPECT_EQ(problem_of({prepare, op(Opcode::LoadTrue, 1), loop, end}), "pc 2: loop without hidden variables");
  EXPECT_EQ(problem_of({prepare, op(Opcode::Move, 4, 3), imm(Opcode::ForLoop, 1, 0, -2), end}),
            "pc 0: bad loop");
  EXPECT_EQ(problem_of({op(Opcode::GenericForCall, 0, 0, 1), imm(Opcode::GenericForLoop, 0, 0, -2), end}),
            "pc 1: bad loop");
}

TEST_F(VerifierTest, OnlyALoopReadsItsHiddenVariables) {
  const Instruction end = op(Opcode::Return0);
  const auto loop = [&](Instruction body) {
    return problem_of({imm(Opcode::ForPrepare, 0, 0, 2), body, imm(Opcode::ForLoop, 0, 0, -2), end});
  };
  EXPECT_EQ(loop(op(Opcode::Move, 4, 3)), "");
  for (int hidden = 0; hidden < 3; hidden++)
    EXPECT_EQ(loop(op(Opcode::Move, 4, hidden)), "pc 1: register without a value");
  // A loop that does not run may have written its variable, or not.
  EXPECT_EQ(problem_of({op(Opcode::NewTable, 3), imm(Opcode::ForPrepare, 0, 0, 2), op(Opcode::Move, 4, 3),
                        imm(Opcode::ForLoop, 0, 0, -2), imm(Opcode::SetList, 3, 1, 0), end}),
            "pc 4: SetList without a new table");
}

TEST_F(VerifierTest, LoopsAreEnteredWhereTheyArePrepared) {
  const Instruction end = op(Opcode::Return0);
  const auto generic = [&](Instruction first) {
    return problem_of({op(Opcode::LoadNil, 3, 4), first, imm(Opcode::GenericForPrepare, 0, 0, 1),
                       op(Opcode::Move, 6, 4), op(Opcode::GenericForCall, 0, 0, 1),
                       imm(Opcode::GenericForLoop, 0, 0, -3), op(Opcode::Return, 0, 1, 1)});
  };
  EXPECT_EQ(generic(op(Opcode::LoadTrue, 4)), "");
  EXPECT_EQ(generic(imm(Opcode::JumpIfTrue, 4, 0, 4)), "");
  EXPECT_EQ(generic(imm(Opcode::JumpIfTrue, 4, 0, 1)), "pc 1: jump into a loop");
  EXPECT_EQ(generic(imm(Opcode::JumpIfTrue, 4, 0, 2)), "pc 1: jump into a loop");
  EXPECT_EQ(generic(imm(Opcode::JumpIfTrue, 4, 0, 3)), "pc 1: jump into a loop");
  // Another loop with the same variables has been prepared, but not this one.
  EXPECT_EQ(problem_of({imm(Opcode::ForPrepare, 0, 0, 2), imm(Opcode::JumpIfTrue, 3, 0, 3),
                        imm(Opcode::ForLoop, 0, 0, -2), imm(Opcode::ForPrepare, 4, 0, 2),
                        op(Opcode::LoadTrue, 8), imm(Opcode::ForLoop, 4, 0, -2), end}),
            "pc 1: jump into a loop");
  // Two loops that go back to one.
  EXPECT_EQ(problem_of({imm(Opcode::ForPrepare, 0, 0, 2), op(Opcode::Move, 4, 3),
                        imm(Opcode::ForLoop, 0, 0, -2), imm(Opcode::ForLoop, 0, 0, -3), end}),
            "pc 3: bad loop");
  EXPECT_EQ(problem_of({imm(Opcode::ForPrepare, 0, 0, 2), imm(Opcode::ForPrepare, 4, 0, 2),
                        imm(Opcode::ForLoop, 0, 0, -2), imm(Opcode::ForLoop, 4, 0, -2), end}),
            "pc 1: loops are not nested");
}

TEST_F(VerifierTest, VariablesToBeClosedKeepTheirValues) {
  const Instruction mark = op(Opcode::ToBeClosed, 1), end = op(Opcode::Return, 0, 1, 1);
  EXPECT_EQ(problem_of({mark, op(Opcode::LoadTrue, 0), end}), "");
  EXPECT_EQ(problem_of({mark, op(Opcode::LoadTrue, 1), end}), "pc 1: a variable to be closed is overwritten");
  EXPECT_EQ(problem_of({mark, op(Opcode::Close, 1), op(Opcode::LoadTrue, 1), end}), "");
}

TEST_F(VerifierTest, OpenArgumentsDoNotEndBelowCapturedVariables) {
  Proto& proto = function({op(Opcode::PrepareVararg, 0, 3), op(Opcode::ToBeClosed, 2),
                           op(Opcode::Vararg, 1, 0, 0), op(Opcode::Return, 1, 0, 1)});
  proto.is_vararg = true;
  EXPECT_EQ(verify(proto), "pc 2: a captured variable is overwritten");
  proto.original_code[2].a = proto.original_code[3].a = 3;
  EXPECT_EQ(verify(proto), "");
}

TEST_F(VerifierTest, LocalVariablesHaveRegisters) {
  Proto& proto = function({op(Opcode::LoadTrue, 3), op(Opcode::Return0)});
  String* const name = vm_.string_value("name").as_string();
  proto.locals.assign(10, {name, 0, 2});
  EXPECT_EQ(verify(proto), "");
  proto.locals.push_back({name, 1, 2});
  EXPECT_EQ(verify(proto), "more local variables than registers");
  proto.locals[0].end_pc = 1;
  EXPECT_EQ(verify(proto), "");
}

TEST_F(VerifierTest, VariablesAreClosedBeforeTheirSlotsAreReused) {
  const auto with_capture = [&](std::vector<Instruction> rest) {
    rest.insert(rest.begin(), imm(Opcode::Closure, 3, 0, 0));
    Proto& inner = function({op(Opcode::Return0)});
    inner.upvalues[0] = {nullptr, true, 2, 0};
    Proto& outer = function(std::move(rest));
    outer.nested.push_back(&inner);
    return verify(outer);
  };
  EXPECT_EQ(with_capture({op(Opcode::Return, 0, 1, 1)}), "");
  EXPECT_EQ(with_capture({op(Opcode::Return0)}), "pc 1: return without closing variables");
  EXPECT_EQ(with_capture({op(Opcode::Call, 0, 1, 1), op(Opcode::Return, 0, 1, 1)}),
            "pc 1: a captured variable is overwritten");
  EXPECT_EQ(with_capture({op(Opcode::Close, 2), op(Opcode::Call, 0, 1, 1), op(Opcode::Return0)}), "");
  EXPECT_EQ(problem_of({op(Opcode::ToBeClosed, 1), op(Opcode::ToBeClosed, 0), op(Opcode::Return, 0, 1, 1)}),
            "pc 1: variables to be closed out of order");
}

TEST_F(VerifierTest, NestedFunctionsCaptureWhatExists) {
  Proto& inner = function({op(Opcode::Return0)});
  Proto& outer = function({op(Opcode::Return0)});
  outer.nested.push_back(&inner);
  EXPECT_EQ(verify(outer), "");
  inner.upvalues[0] = {nullptr, true, 10, 0};
  EXPECT_EQ(verify(outer), "upvalue out of range");
  inner.upvalues[0] = {nullptr, false, 1, 0};
  EXPECT_EQ(verify(outer), "upvalue out of range");
}

TEST(Cfg, EdgesOfABranchAreOrdered) {
  Vm vm;
  const Proto& main =
      *compile(vm, "local function f(a) while a do if g() then return 1 end end end", "=input").value();
  EXPECT_EQ(dump_cfg(*main.nested[0]), R"(cfg <input:1> (5 blocks, 7 edges)
b0:
  0  JumpIfFalse r0 -> 7
  -> b1 (fall through)
  -> b4 (jump)
b1:
  1  GetGlobal r1 u0 k0 ic0
  2  Call r1 1 2
  3  JumpIfFalse r1 -> 6
  -> b2 (fall through)
  -> b3 (jump)
b2:
  4  LoadInteger r1 1
  5  Return1 r1
  -> exit (return)
b3:
  6  Jump -> 0
  -> b0 (jump)
b4:
  7  Return0
  -> exit (return)
)");
}

TEST(Cfg, UnreachableBlocksAreKeptAndMarked) {
  Vm vm;
  const Proto& proto = *compile(vm, "do return 1 end f()", "=input").value();
  const Cfg cfg = Cfg::build(proto);
  ASSERT_EQ(cfg.blocks.size(), 2u);
  EXPECT_TRUE(cfg.blocks[0].is_reachable);
  EXPECT_FALSE(cfg.blocks[1].is_reachable);
  EXPECT_EQ(cfg.block_at(proto.original_code.size() - 1), BlockIndex{1});
}

TEST_F(VerifierTest, RegistersThatBecomeAnOpenListHaveValues) {
  const auto returns = [this](int count, int wanted) {
    return problem_of({op(Opcode::Vararg, 1, count, wanted), op(Opcode::Return, 1, 0)});
  };
  EXPECT_EQ(returns(2, 0), "");
  EXPECT_NE(returns(5, 0), "");    // R[3] has none
  EXPECT_NE(returns(200, 0), "");  // no such registers
  EXPECT_NE(returns(2, 1), "");    // not open
}

}  // namespace
}  // namespace mangata
