// Functions that are inlined: frames that exist only in the region, from calls, tail calls and operators to their returns.
#include <algorithm>

#include "jit/build/lowering.h"
#include "jit/region/region_benefit.h"

namespace mangata::jit {
namespace {

/// Of one function, with the region's own: a recursive function is unrolled so often.
constexpr int kMostActivations = 2;
constexpr size_t kMostRecursiveSize = 60;
}  // namespace

/// Whether the walk may go into `callee`, in a frame of its own. `must`: otherwise it has to end here.
bool Lowering::may_inline(const RegionFunction& callee, bool must) const {
  if (walk_.state.frames.size() >= (must ? kMostExitFrames : kInliningLevels[limits_.level].frames) || is_kept()) return false;
  const auto activations = std::count_if(walk_.state.frames.begin(), walk_.state.frames.end(),
                                         [&](const InlineFrame& frame) { return frame.function == &callee; });
  return activations == 0 || (activations < kMostActivations && callee.code.size() <= kMostRecursiveSize);
}

/// Checks that it is a function of that prototype.
bool Lowering::guard_callee(Operand* function, const Proto* callee) {
  if (!values_.expect(function, Kind::LuaFunction)) return false;
  guards_.guard(b_.eq(proto_of(b_, *function), b_.word(reinterpret_cast<uint64_t>(callee))));
  return true;
}

/// Whether the running instruction is a call that stays one.
bool Lowering::is_kept() const { return kept_.contains({walk_.function().index, CodePc(walk_.pc)}); }

void Lowering::start_function() {
  walk_.pc = -1;
  branches_.go_to(0);
}

/// The frame runs now, after polls_.reserve_event(); its function and its arguments are in their slots.
void Lowering::enter_frame(const InlineFrame& frame, int arguments) {
  events_.take();
  const RegionFunction& callee = *frame.function;
  walk_.state.slots.resize(static_cast<size_t>(frame.end()));
  registers_.need_stack_to(frame.end());
  walk_.state.open_end = kNoFrameSlot;
  walk_.state.frames.push_back(frame);
  if (callee.counters != nullptr) b_.set(registers_.path_cell(frame.base), b_.word(0));
  for (int reg = arguments; reg < callee.parameter_count; ++reg) values_.write(Register{reg}, {.kind = Kind::Nil});
  for (int reg = callee.parameter_count; reg < callee.register_count; ++reg) registers_.fact(walk_.slot_of(Register{reg})) = {};
}

bool Lowering::inline_call(const Instruction& in, const RegionFunction& callee) {
  if (!may_inline(callee, in.c == 0)) return false;
  Operand function = values_.read(in.ra());
  if (registers_.is_captured(walk_.slot_of(in.ra())) || !guard_callee(&function, callee.proto)) return false;
  polls_.reserve_event();
  const int arguments = argument_count(in);
  const FrameSlot base = walk_.slot_of(in.ra()) + kCallOverheadSlots;
  if (const FrameSlot from = walk_.slot_of(first_argument(in)); from != base) {
    walk_.state.slots.resize(std::max(walk_.state.slots.size(), static_cast<size_t>(base + arguments)));
    for (int i = std::min(arguments, callee.parameter_count); i-- > 0;) values_.copy(base + i, from + i);
  }
  enter_frame({.function = &callee, .base = base, .return_pc = walk_.pc + 1, .wanted = in.c - 1}, arguments);
  start_function();
  return true;
}

/// The call of an iterator, which stands above the loop's registers.
bool Lowering::inline_iterator(const Instruction& in, const RegionFunction& callee) {
  const FrameSlot called = walk_.slot_of(in.ra() + 4), base = called + kCallOverheadSlots;
  if (!may_inline(callee, false) || registers_.is_captured(called)) return false;
  Operand function = values_.read(in.ra());
  if (!guard_callee(&function, callee.proto)) return false;
  polls_.reserve_event();
  walk_.state.slots.resize(std::max(walk_.state.slots.size(), static_cast<size_t>(base + 2)));
  values_.copy(called, walk_.slot_of(in.ra()));
  for (int i = 0; i < std::min(2, callee.parameter_count); ++i) values_.copy(base + i, walk_.slot_of(in.ra() + 1 + i));
  enter_frame({.function = &callee, .base = base, .return_pc = walk_.pc + 1, .wanted = in.c}, 2);
  start_function();
  return true;
}

/// A function that was inlined calls another as its last act: that takes its frame. A second such call is a backedge: functions
/// that go on calling each other so are a loop. The region's own frame is a real one, and stays as it is: it leaves; so does what
/// closes variables first.
bool Lowering::lower_tail_call(const Instruction& in) {
  const auto why = walk_.state.is_inlined() ? ExitSite::Why::Other : ExitSite::Why::Loop;
  if (in.c != 0 || (in.b == 0 && walk_.state.open_end == kNoFrameSlot)) return branches_.exit_at(walk_.pc, why), false;
  const auto id = static_cast<NativeId>(walk_.site().native_id);
  if (!walk_.state.is_inlined()) {  // its caller gets them, and nothing may leave between the call and the return
    for (int i = 0; i < argument_count(in); ++i) values_.read(first_argument(in) + i);
  }
  if (id != NativeId::None && !walk_.site().many_callees && registers_.fact(walk_.slot_of(in.ra())).method == nullptr && lower_intrinsic(in, id)) {
    walk_.state.open_end = kNoFrameSlot;
    return lower_return({.op = Opcode::Return1, .a = in.a});
  }
  const Proto* probable = registers_.fact(walk_.slot_of(in.ra())).method;
  if (walk_.state.is_inlined() && probable == nullptr && !is_kept() && by_callees(in)) return false;
  const RegionFunction* callee = probable != nullptr ? inlinable(probable) : walk_.function().callees[static_cast<size_t>(walk_.pc)];
  if (walk_.state.is_inlined() && is_kept()) callee = nullptr;
  const InlineFrame frame = walk_.state.top();
  const bool is_native = callee == nullptr && walk_.site().callee == nullptr && !walk_.site().many_callees;
  if (walk_.state.is_inlined() && is_native && (in.b != 0 || in.d == 0) && tail_call_native(in, frame)) return false;
  if (!walk_.state.is_inlined() && tail_call_itself(in)) return false;
  const Proto* only = probable == nullptr && !walk_.site().many_callees ? walk_.site().callee : probable;
  if (walk_.state.is_inlined() && callee == nullptr && tail_call_natively(in, only)) return false;
  if (!walk_.state.is_inlined() || callee == nullptr) return branches_.exit_at(walk_.pc, why), false;
  Operand function = values_.read(in.ra());
  if (!guard_callee(&function, callee->proto)) return branches_.exit_at(walk_.pc, why), false;
  polls_.reserve_event();
  const int arguments = argument_count(in);
  const FrameSlot from = walk_.slot_of(first_argument(in));
  values_.copy(frame.callee_slot(), walk_.slot_of(in.ra()));
  for (int i = 0; i < std::min(arguments, callee->parameter_count); ++i) values_.copy(frame.base + i, from + i);
  walk_.state.frames.pop_back();
  enter_frame({.function = callee,
               .base = frame.base,
               .return_pc = frame.return_pc,
               .wanted = frame.wanted,
               .is_tail_called = true,
               .result_slot = frame.result_slot},
              arguments);
  if (!frame.is_tail_called) return start_function(), false;
  walk_.pc = 0;
  return branches_.go_to(0), false;
}

/// A tail call of a native function is a call whose results are returned. False: nothing was done.
bool Lowering::tail_call_native(const Instruction& in, const InlineFrame& frame) {
  const RegionFunction& caller = *walk_.state.frames[walk_.state.frames.size() - 2].function;
  const bool is_open = frame.wanted < 0;
  if (is_open ? !knows_results(caller, frame.return_pc - 1) : in.a + frame.wanted > walk_.function().register_count) return false;
  Operand callee = values_.read(in.ra());
  if (!values_.expect(&callee, Kind::NativeFunction)) return false;
  tally_.note_by_runtime(walk_);
  IrValue outcome = calls_.call(runtime_.tail_call_native);
  if (is_open) return receive_results(outcome), true;
  for (int reg = in.a; reg < walk_.function().register_count; ++reg) registers_.forget(Register{reg});
  registers_.forget_tables();
  const Instruction returns = Instruction::abcd(Opcode::Return, in.a, frame.wanted + 1);
  Block done = calls_.split_by_outcome(outcome);
  queue_.beside([&] {
    if (deliver(returns, frame.wanted)) branches_.exit_at(walk_.pc + 1);
  });
  b_.set_position(done);
  events_.look_soon();
  lower_return(returns);
  return true;
}

/// Of a function that was inlined: all results are where the caller's call has them.
void Lowering::receive_results(IrValue outcome) {
  resume_caller();
  walk_.state.open_end = kNoFrameSlot;
  const Instruction& call = walk_.instruction();
  calls_.forget_written(call);
  Block done = calls_.split_by_outcome(outcome);
  exits_.emit(walk_.pc + 1, ExitSite::Why::Other);
  b_.set_position(done);
  events_.look_soon();
  expect_results(call);
  branches_.go_to(walk_.pc + 1);
}

/// The metatable of an operand, which has the metamethod in that slot.
ir::Value Lowering::guard_operator_holder(const Operand& operand, const InlineCache& cache) {
  if (cache.holder != nullptr) return guard_holder_shape(cache);
  IrValue metatable = b_.load(IrType::Pointer, b_.at(b_.pointer(operand), offsetof(Table, own_metatable)), Memory::Header);
  IrValue shape = b_.load(IrType::I64, b_.at(metatable, offsetof(Table, shape)), Memory::Header);
  guards_.guard(b_.eq(shape, b_.word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  return metatable;
}

/// An operator whose metamethod is known, as the call that the runtime would make: above the registers. False: it is not.
bool Lowering::inline_operator(const Instruction& in, Operand left, Operand right) {
  const auto found = walk_.function().operators.find(CodePc(walk_.pc));
  const RegionFunction* callee = walk_.function().callees[static_cast<size_t>(walk_.pc)];
  if (found == walk_.function().operators.end() || callee == nullptr || walk_.site().is_unstable || !may_inline(*callee, false) ||
      registers_.is_captured(walk_.slot_of(in.ra())))
    return false;
  const InlineCache& cache = found->second.cache;
  Operand& handles = walk_.site().right_handles ? right : left;
  Operand& other = walk_.site().right_handles ? left : right;
  const bool has_register_c = opcode_info(in.op).format == OperandFormat::RaRbRc;
  const TagMask tags = has_register_c && walk_.site().right_handles ? walk_.site().right : walk_.site().left;
  const bool is_table = handles.kind == Kind::Table || (handles.kind == Kind::Any && tags == tag_bit(Tag::Table));
  if (!is_table) return false;
  // A left operand of another type might have a metamethod, too.
  if (walk_.site().right_handles && !values_.expect_number(&other, walk_.site().left)) return false;
  if (!values_.expect(&handles, Kind::Table)) return false;
  if (registers_.is_replaced(handles) && registers_.fact(handles.slot).shape != cache.shape) return false;
  guard_shape(handles, cache.shape);
  Operand method = b_.load_value(property(b_, guard_operator_holder(handles, cache), cache.slot), Memory::Values);
  if (!guard_callee(&method, callee->proto)) return false;
  polls_.reserve_event();
  const FrameSlot result = walk_.slot_of(in.ra()), base = walk_.state.top().end() + kCallOverheadSlots;
  walk_.state.slots.resize(static_cast<size_t>(base + std::max(callee->register_count, 2)));
  registers_.set(base - kCallOverheadSlots, method);
  const Operand arguments[] = {left, right};
  for (int i = 0; i < std::min(2, callee->parameter_count); ++i) {
    values_.put(base + i, arguments[i]);
  }
  enter_frame({.function = callee, .base = base, .return_pc = walk_.pc + 1, .wanted = 1, .result_slot = result}, 2);
  start_function();
  return true;
}

/// An access of a property that calls a function of Lua, as the call that the runtime would make: above the registers. False: it is not.
bool Lowering::inline_handler(const Instruction& in) {
  const auto found = walk_.function().operators.find(CodePc(walk_.pc));
  const RegionFunction* callee = walk_.function().callees[static_cast<size_t>(walk_.pc)];
  if (found == walk_.function().operators.end() || callee == nullptr || walk_.site().is_unstable || !may_inline(*callee, false)) return false;
  const bool is_store = in.op == Opcode::SetField || in.op == Opcode::SetGlobal, is_self = in.op == Opcode::Self;
  const bool is_global = in.op == Opcode::GetGlobal || in.op == Opcode::SetGlobal;
  const FrameSlot self = walk_.slot_of(in.ra() + kCallOverheadSlots);
  if ((!is_store && registers_.is_captured(walk_.slot_of(in.ra()))) || (is_self && registers_.is_captured(self))) return false;
  const InlineCache& cache = found->second.cache;
  Operand object = is_global ? environment(is_store ? in.a : in.b) : values_.read(is_store ? in.ra() : in.rb());
  const Operand value = is_store ? values_.read_rk(in.c) : Operand{.kind = Kind::Nil};
  if (!values_.expect_table(&object)) return false;
  guard_shape(object, cache.shape);
  Operand first = object;
  if (cache.holder != nullptr) {
    guard_epoch(cache);
    first = {.kind = Kind::Table, .payload = b_.word(reinterpret_cast<uint64_t>(cache.holder))};
  }
  IrValue metatable = b_.load(IrType::Pointer, b_.at(b_.pointer(first), offsetof(Table, own_metatable)), Memory::Header);
  IrValue shape = b_.load(IrType::I64, b_.at(metatable, offsetof(Table, shape)), Memory::Header);
  guards_.guard(b_.eq(shape, b_.word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  Operand method = b_.load_value(property(b_, metatable, cache.slot), Memory::Values);
  if (!guard_callee(&method, callee->proto)) return false;
  polls_.reserve_event();
  const FrameSlot base = walk_.state.top().end() + kCallOverheadSlots;
  const int arguments = is_store ? 3 : 2;
  walk_.state.slots.resize(static_cast<size_t>(base + std::max(callee->register_count, arguments)));
  registers_.set(base - kCallOverheadSlots, method);
  const Operand all[] = {first, registers_.constant(is_store ? in.b : in.c), value};
  for (int i = 0; i < std::min(arguments, callee->parameter_count); ++i) values_.put(base + i, all[i]);
  if (is_self) values_.put(self, object);
  const FrameSlot result = is_store ? InlineFrame::kNoResult : walk_.slot_of(in.ra());
  enter_frame({.function = callee, .base = base, .return_pc = walk_.pc + 1, .wanted = is_store ? 0 : 1, .result_slot = result}, arguments);
  start_function();
  return true;
}

/// Of the return; negative: it is open, and nobody knows.
int Lowering::result_count(const Instruction& in) const {
  if (in.op == Opcode::Return0) return 0;
  if (in.op == Opcode::Return1) return 1;
  if (in.b != 0) return in.b - 1;
  return walk_.state.open_end == kNoFrameSlot ? -1 : walk_.state.open_end - walk_.slot_of(in.ra());
}

/// In a function that was inlined, back to its caller.
bool Lowering::lower_return(const Instruction& in) {
  if (!walk_.state.is_inlined()) return input_.is_function ? return_to_caller(in) : branches_.exit_at(walk_.pc), false;
  const int count = result_count(in);
  if (count < 0) return branches_.exit_at(walk_.pc), false;
  if (deliver(in, count)) branches_.go_to(walk_.pc + 1);
  return false;
}

/// Puts the results where the caller wants them, and is in the caller then, at the call. False: the walk has ended.
bool Lowering::deliver(const Instruction& in, int count) {
  const InlineFrame frame = walk_.state.top();
  if (frame.result_slot != InlineFrame::kCalled) return return_to_operator(in, count), true;
  const FrameSlot first = frame.callee_slot();
  const FrameSlot end_of_caller = walk_.state.frames[walk_.state.frames.size() - 2].end();
  const int wanted = frame.wanted < 0 ? count : frame.wanted;
  if (first + wanted > end_of_caller) return branches_.exit_at(walk_.pc), false;
  // They move down. What has to be made for the caller is made first: that may leave.
  for (int i = 0; i < std::min(count, wanted); ++i) {
    if (registers_.is_captured(first + i)) values_.read(in.ra() + i);
  }
  for (int i = 0; i < wanted; ++i) {
    if (static_cast<size_t>(first + i) >= walk_.state.slots.size())
      walk_.state.slots.resize(static_cast<size_t>(first + i) + 1);
    i < count ? values_.copy(first + i, walk_.slot_of(in.ra() + i)) : registers_.set(first + i, {.kind = Kind::Nil});
  }
  walk_.state.open_end = frame.wanted < 0 ? first + wanted : kNoFrameSlot;
  walk_.state.slots.resize(static_cast<size_t>(first + wanted));  // what was behind that is dead
  resume_caller();
  return true;
}

/// The results are where they belong.
void Lowering::resume_caller() {
  const int return_pc = walk_.state.top().return_pc;
  walk_.state.frames.pop_back();
  walk_.state.slots.resize(static_cast<size_t>(walk_.state.top().end()));
  walk_.pc = return_pc - 1;
}

/// In a function that was inlined nothing can be open: it makes no closures and has no variables to be closed.
bool Lowering::lower_close() { return walk_.state.is_inlined() || calls_.do_instruction(); }

/// From a metamethod: its first result is the operator's, if that has one.
void Lowering::return_to_operator(const Instruction& in, int count) {
  const InlineFrame frame = walk_.state.top();
  if (count == 0 && frame.result_slot != InlineFrame::kNoResult) {
    registers_.set(frame.result_slot, {.kind = Kind::Nil});
  } else if (frame.result_slot != InlineFrame::kNoResult) {
    values_.copy(frame.result_slot, walk_.slot_of(in.ra()));
  }
  walk_.state.open_end = kNoFrameSlot;
  resume_caller();
}

/// From a region that is a whole function: the results go to where the caller wants them (emit_returns.cpp).
void Lowering::return_to_caller(const Instruction& in) {
  if (direct_.is_made()) return return_directly(in);
  constexpr int kMostResults = 4;
  const int count = result_count(in);
  const bool closes = in.op == Opcode::Return && in.c != 0;
  if (count < 0 || closes || count > kMostResults) return branches_.exit_at(walk_.pc, ExitSite::Why::Loop);
  IrValue wanted =
      b_.load(IrType::I32, b_.frame_address(FrameSlot{-kFrameHeaderSlots}, offsetof(FrameHeader, tag_low_2) + 4), Memory::Frame);
  Block more = b_.make_block("more_wanted");
  Block all = b_.make_block("all_wanted");
  Block returns = b_.make_block("returns");
  constexpr FrameSlot first{-kCallOverheadSlots};
  // All are stored even when fewer are wanted: what lies behind the wanted ones is free.
  b_.set_likely(b_.branch(b_.ugt(wanted, b_.i32(static_cast<uint32_t>(count))), more, returns), false);
  b_.set_position(more);
  Block fewer = b_.make_block("fewer_than_wanted");
  b_.branch(b_.eq(wanted, b_.i32(FrameHeader::kWantedMask)), all, fewer);
  b_.set_position(fewer);
  exits_.emit(walk_.pc, ExitSite::Why::Loop);
  b_.set_position(all);
  b_.store(b_.frame_address(first + count), b_.at(b_.thread(), offsetof(Thread, top)), Memory::Machine);
  b_.jump(returns);
  b_.set_position(returns);
  std::vector<Operand> results;
  for (int i = 0; i < count; ++i) results.push_back(values_.read(in.ra() + i));
  for (int i = 0; i < count; ++i) {
    const Operand& result = results[static_cast<size_t>(i)];
    b_.store(b_.payload_bits(result), b_.frame_address(first + i), Memory::Frame);
    b_.store(b_.tag_value(result), b_.frame_address(first + i, offsetof(Value, tag)), Memory::Frame);
  }
  events_.count();
  events_.end();
  b_.return_status(b_.word(static_cast<uint64_t>(kRegionReturned)));
  branches_.finish();
}

}  // namespace mangata::jit
