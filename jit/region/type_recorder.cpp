#include "jit/region/type_recorder.h"

#include <algorithm>
#include <utility>

#include "jit/abi/runtime_arithmetic.h"
#include "vm/bytecode/opcode_facts.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/object/frame.h"
#include "vm/object/function.h"
#include "vm/object/table.h"
#include "vm/vm.h"

namespace mangata::jit {
namespace {

/// A tag that one in so many frames has is refused by a region, rather than accepted without a check at its entry.
constexpr unsigned kMostLooks = 16;

void add_registers(const Thread& thread, int count, FrameTags* tags) {
  for (int i = 0; i < count; ++i) (*tags)[static_cast<size_t>(i)] |= mask_of(thread.base[i]);
}

void see_elements(const Value& object, SiteTypes* site) {
  if (!object.is_table()) return;
  site->kinds |= static_cast<uint8_t>(1u << static_cast<unsigned>(object.as_table()->element_kind()));
  if (object.as_table()->metatable() != nullptr) site->has_metatable = true;
}

bool is_inside(const Value& object, const Value& key) {
  return static_cast<uint64_t>(key.as_integer()) - 1 < object.as_table()->array_size();
}

void see_first_operand(const Value& value, SiteTypes* site) { site->left |= mask_of(value); }

void see_load(const Value& object, const Value& key, SiteTypes* site) {
  see_elements(object, site);
  if (object.is_table() && key.is_integer() && !is_inside(object, key)) ++site->outside;
}

void see_store(const Value& object, const Value& key, SiteTypes* site) {
  see_elements(object, site);
  if (!object.is_table() || !key.is_integer() || is_inside(object, key)) return;
  const Table* table = object.as_table();
  const bool appends = key.as_integer() == static_cast<int64_t>(table->array_size()) + 1;
  if (appends) site->appends = true;
  if (!appends || table->hash != nullptr) ++site->outside;
}

}  // namespace

/// Of a site of the function that is recorded.
void TypeRecorder::note_callee(const Proto* callee, SiteTypes* site) {
  if (callee != nullptr && callee != site->callee) {
    std::vector<const Proto*>& callers = callers_[callee];
    if (callers.empty()) name(callee);
    if (std::find(callers.begin(), callers.end(), last_recorded_) == callers.end()) callers.push_back(last_recorded_);
  }
  site->callee = callee;
  const auto known = std::span(site->callees).first(site->callee_count);
  if (std::find(known.begin(), known.end(), callee) != known.end()) return;
  if (callee == nullptr || site->callee_count == SiteTypes::kMostCallees) {
    site->has_other_callees = true;
  } else {
    site->callees[site->callee_count++] = callee;
  }
}

void TypeRecorder::see_callee(const Value& function, SiteTypes* site) {
  const Proto* callee = function.is_lua_function() ? function.as_lua_function()->proto : nullptr;
  const uint8_t id = function.is_native_function() ? function.as_native_function()->type_byte : uint8_t{0};
  if (site->count > 1 && (callee != site->callee || id != site->native_id)) site->many_callees = true;
  site->native_id = id;
  note_callee(callee, site);
}

void TypeRecorder::see_shape(const Value& object, SiteTypes* site) {
  if (!object.is_table()) return;
  Shape* shape = object.as_table()->shape;
  if (site->shape != nullptr && site->shape != shape) site->many_shapes = true;
  site->shape = shape;
  for (size_t i = 0; i < site->shape_count; ++i) {
    if (site->shapes[i] == shape) {
      ++site->shape_counts[i];
      return;
    }
  }
  if (site->shape_count == SiteTypes::kMostShapes) {
    site->is_megamorphic = true;
    return;
  }
  site->shape_counts[site->shape_count] = 1;
  site->shapes[site->shape_count++] = shape;
  new_objects_.push_back(shape);
}

void TypeRecorder::see_call(Vm& vm, const Value* base, const Instruction& in, SiteTypes* site) {
  const Value* arguments = base + in.a + kCallOverheadSlots;
  if (in.b > 1) site->left |= mask_of(arguments[0]);
  if (in.b > 2) site->right |= mask_of(arguments[1]);
  see_callee(base[in.a], site);
  if (static_cast<NativeId>(site->native_id) != NativeId::SetMetatable || in.b <= 2 || !arguments[1].is_table()) return;
  see_shape(arguments[0], site);
  if (!arguments[0].is_table()) return;
  see_metatable(*arguments[1].as_table(), site);
  Shape* to = shape_with_metatable(vm, arguments[0].as_table()->shape, arguments[1].as_table());
  if (site->to == to) return;
  if (site->to != nullptr) site->many_callees = true;
  site->to = to;
  new_objects_.push_back(to);
}

void TypeRecorder::see_metatable(const Table& metatable, SiteTypes* site) {
  if (site->metatable_shape == metatable.shape) return;
  if (site->metatable_shape != nullptr) site->many_callees = true;
  site->metatable_shape = metatable.shape;
  new_objects_.push_back(metatable.shape);
}

/// Of an operator that numbers do not have.
void TypeRecorder::see_metamethod(const Vm& vm, const Value* base, const Instruction& in, SiteTypes* site) {
  const Arithmetic arithmetic = arithmetic_of(const_cast<Value*>(base), in);
  if (!arithmetic.left.is_table() && !arithmetic.right.is_table()) return;
  Value method = vm.metamethod(arithmetic.left, event_of(arithmetic.op));
  const bool right_handles = method.is_nil();
  if (right_handles) method = vm.metamethod(arithmetic.right, event_of(arithmetic.op));
  if (site->callee != nullptr && site->right_handles != right_handles) site->many_callees = true;
  site->right_handles = right_handles;
  const Value& handler = right_handles ? arithmetic.right : arithmetic.left;
  if (handler.is_table() && handler.as_table()->metatable() != nullptr) see_metatable(*handler.as_table()->metatable(), site);
  see_callee(method, site);
  see_shape(handler, site);
}

/// An access of a property that calls a function of Lua, as the site's cache knows.
void TypeRecorder::see_handler(const Value& object, const Proto& proto, const Instruction& in, SiteTypes* site) {
  if (!object.is_table() || in.d == kNoInlineCache) return;
  Table* first_argument = nullptr;
  const Value* handler = cache_handler(object.as_table(), proto.caches[in.d], &first_argument);
  if (handler == nullptr) return;
  const Proto* callee = handler->as_lua_function()->proto;
  if (site->callee != nullptr && site->callee != callee) site->many_callees = true;
  note_callee(callee, site);
}

void TypeRecorder::look_at_operands(const Vm& vm, const Value* base, const Proto& proto, const Instruction& in, SiteTypes* site) {
  const auto operand = [&](int index) -> const Value& {
    return (index & kConstantOperand) != 0 ? proto.constants[static_cast<size_t>(index & kMaxRkConstant)]
                                           : base[index];
  };
  const auto see_keyed = [&](const Value& object) {
    site->left |= mask_of(object);
    see_handler(object, proto, in, site);
    see_shape(object, site);
  };
  const auto global_table = [&](int upvalue) -> const Value& {
    return *(base - kCallOverheadSlots)->as_lua_function()->upvalues[upvalue]->location;
  };
  switch (family_of(in.op)) {
    case OpcodeFamily::FieldLoad:
      return see_keyed(in.op == Opcode::GetGlobal ? global_table(in.b) : base[in.b]);
    case OpcodeFamily::FieldStore:
      see_keyed(in.op == Opcode::SetGlobal ? global_table(in.a) : base[in.a]);
      site->right |= mask_of(operand(in.c));
      return;
    case OpcodeFamily::ElementLoad:
      site->left |= mask_of(base[in.b]);
      see_shape(base[in.b], site);
      if (in.op == Opcode::GetInteger) return see_load(base[in.b], Value::integer(in.c), site);
      site->right |= mask_of(base[in.c]);
      return see_load(base[in.b], base[in.c], site);
    case OpcodeFamily::ElementStore:
      site->left |= mask_of(base[in.a]);
      if (in.op == Opcode::SetInteger) return see_store(base[in.a], Value::integer(in.b), site);
      site->right |= mask_of(base[in.b]);
      return see_store(base[in.a], base[in.b], site);
    case OpcodeFamily::Length:
      site->left |= mask_of(base[in.b]);
      see_shape(base[in.b], site);
      return see_elements(base[in.b], site);
    case OpcodeFamily::Call:
      return see_call(const_cast<Vm&>(vm), base, in, site);
    case OpcodeFamily::GenericFor:
      if (in.op == Opcode::GenericForCall) {
        see_callee(base[in.a], site);
        site->left |= mask_of(base[in.a]);
        return see_elements(base[in.a + 1], site);
      }
      return see_first_operand(base[in.a], site);
    case OpcodeFamily::Arithmetic:
    case OpcodeFamily::Bitwise:
    case OpcodeFamily::Unary:
      see_metamethod(vm, base, in, site);
      if (opcode_info(in.op).format == OperandFormat::RaRbRc) site->right |= mask_of(base[in.c]);
      return see_first_operand(base[in.b], site);
    case OpcodeFamily::Move:
    case OpcodeFamily::Not:
      return see_first_operand(base[in.b], site);
    case OpcodeFamily::TruthBranch:
    case OpcodeFamily::CopyBranch:
    case OpcodeFamily::EqualityBranch:
    case OpcodeFamily::OrderBranch:
      if (opcode_info(in.op).format == OperandFormat::RaRbJump) site->right |= mask_of(base[in.b]);
      return see_first_operand(base[in.a], site);
    case OpcodeFamily::NumericFor:
      return see_first_operand(base[in.a], site);
    case OpcodeFamily::Load:
    case OpcodeFamily::Upvalue:
    case OpcodeFamily::Constructor:
    case OpcodeFamily::Concat:
    case OpcodeFamily::Jump:
    case OpcodeFamily::Return:
    case OpcodeFamily::Vararg:
    case OpcodeFamily::Closure:
    case OpcodeFamily::Close:
    case OpcodeFamily::Event:
      return;
  }
}

TypeRecorder::Record& TypeRecorder::record_of(const Proto& proto) {
  if (last_record_ != nullptr && last_recorded_ == &proto) return *last_record_;
  std::swap(last_record_, record_before_);
  std::swap(last_recorded_, recorded_before_);
  if (last_record_ == nullptr || last_recorded_ != &proto) last_record_ = &functions_[&proto], last_recorded_ = &proto;
  return *last_record_;
}

void TypeRecorder::pause() {
  last_ = {};
  for (auto& [proto, record] : functions_) {
    if (!record.branches.empty()) record.branches.push_back({nullptr, BranchEvent::kPause, {}});
  }
}

/// The head of a generic `for` is reached by no jump.
void TypeRecorder::note_branch(const Thread& thread, const Proto& proto, OriginalPc pc) {
  const bool same_frame = last_.base == thread.base && last_.proto == &proto;
  const bool is_head = proto.original_code[static_cast<size_t>(pc)].op == Opcode::GenericForCall;
  std::vector<BranchEvent>& branches = record_of(proto).branches;
  if (!same_frame) {
    if (pc == OriginalPc{}) branches.push_back({thread.base, BranchEvent::kStart, {}});
    if (is_head && pc > OriginalPc{}) branches.push_back({thread.base, OriginalPc{value_of(pc) - 1}, pc});
    return;
  }
  const Instruction& last = proto.original_code[static_cast<size_t>(last_.pc)];
  if (is_head || is_backedge(last) || opcode_info(last.op).flow == ControlFlow::Branch)
    branches.push_back({thread.base, last_.pc, pc});
}

/// What `in` has left at R[a] and, of an open number of values, up to Thread::top.
void TypeRecorder::see_result(const Thread& thread, const Instruction& in, SiteTypes* site) {
  site->result |= mask_of(thread.base[in.a]);
  const auto family = family_of(in.op);
  if (in.c != 0 || in.op == Opcode::TailCall || (family != OpcodeFamily::Call && in.op != Opcode::Vararg)) return;
  site->see_open_results(static_cast<int>(std::min<ptrdiff_t>(thread.top - (thread.base + in.a), INT8_MAX - 1)));
}

/// What the instruction before has done is known only now.
void TypeRecorder::finish_last(const Thread& thread, const Proto& proto, OriginalPc pc) {
  const auto before = static_cast<size_t>(pc) - 1;
  if (last_.base > thread.base && pc > OriginalPc{} && proto.original_code[before].op == Opcode::Call) {
    see_result(thread, proto.original_code[before], &record_of(proto).sites.at(before));
    return;
  }
  if (last_.base != thread.base || last_.proto != &proto) return;
  const Instruction& in = proto.original_code[static_cast<size_t>(last_.pc)];
  SiteTypes& site = record_of(proto).sites.at(static_cast<size_t>(last_.pc));
  see_result(thread, in, &site);
  const bool jumps = pc != last_.pc + 1;
  if (jumps) ++site.taken;
  if (!jumps || !is_backedge(in)) return;
  add_registers(thread, proto.max_stack_slots, &record_of(proto).heads[pc].tags);
}

void TypeRecorder::instruction(const Thread& thread, const Proto& proto, OriginalPc pc) {
  ++count_;
  Sites& sites = record_of(proto).sites;
  if (sites.empty()) {
    name(&proto);
    sites = Sites(proto.original_code.size());
  }
  note_branch(thread, proto, pc);
  finish_last(thread, proto, pc);
  if (pc == OriginalPc{} && (last_.proto != &proto || last_.base != thread.base)) {
    add_registers(thread, proto.parameter_count, &record_of(proto).heads[OriginalPc{}].tags);
  }
  SiteTypes& site = sites.at(static_cast<size_t>(pc));
  ++site.count;
  const Instruction& in = proto.original_code[static_cast<size_t>(pc)];
  look_at_operands(*thread.vm, thread.base, proto, in, &site);
  last_ = {&proto, thread.base, pc};
}

bool TypeRecorder::has_seen_enough(const Proto& proto) const {
  constexpr uint64_t kEnough = 200;
  const Sites* proto_sites = sites(proto);
  if (proto_sites == nullptr) return false;
  uint64_t events = (*proto_sites)[0].count;
  for (size_t pc = 0; pc < proto_sites->size(); ++pc) {
    const Instruction& in = proto.original_code[pc];
    if (is_backedge(in)) events += in.op == Opcode::Jump ? (*proto_sites)[pc].count : (*proto_sites)[pc].taken;
  }
  return events >= kEnough;
}

void TypeRecorder::forget(const Proto& proto) {
  std::erase(owners_, &proto);
  functions_.erase(&proto);
  last_record_ = record_before_ = nullptr;
  if (last_.proto == &proto) last_ = {};
  const auto callers = callers_.extract(&proto);
  if (callers.empty()) return;
  for (const Proto* caller : callers.mapped()) {
    const auto found = functions_.find(caller);
    if (found == functions_.end()) continue;
    found->second.sites.for_each_written([&](SiteTypes& site) {
      // What is called last may be one of too many.
      if (site.callee != &proto && std::find(site.callees.begin(), site.callees.end(), &proto) == site.callees.end()) return;
      site.callee = nullptr;
      site.many_callees = site.has_other_callees = true;
    });
  }
}

void TypeRecorder::check_failed(const Proto& proto, OriginalPc pc) {
  if (Sites* sites = seen(proto)) sites->at(static_cast<size_t>(pc)).is_unstable = true;
}

void TypeRecorder::branch_went(const Proto& proto, OriginalPc pc, bool taken) {
  if (seen(proto) == nullptr) return;
  Sites& sites = *seen(proto);
  SiteTypes& site = sites.at(static_cast<size_t>(pc));
  ++site.count;
  if (taken) ++site.taken;
  // What follows there up to the next branch has been executed, too.
  size_t next = static_cast<size_t>(value_of(pc) + 1 + (taken ? proto.original_code[static_cast<size_t>(pc)].imm : 0));
  while (next < sites.size() && std::as_const(sites)[next].count == 0) {
    const Instruction& in = proto.original_code[next];
    const ControlFlow flow = opcode_info(in.op).flow;
    if (flow == ControlFlow::Branch) return;
    sites.at(next).count = 1;
    if (flow != ControlFlow::Next && flow != ControlFlow::Jump) return;
    next += static_cast<size_t>(1 + (flow == ControlFlow::Jump ? in.imm : 0));
  }
}

void TypeRecorder::entry_refused(const Proto& proto, OriginalPc head, const std::vector<TagMask>& tags) {
  Head* known = head_of(proto, head);
  if (known == nullptr) return;
  for (size_t i = 0; i < tags.size(); ++i) known->tags[i] |= tags[i];
}

void TypeRecorder::look_at_head(const Thread& thread, const Proto& proto, OriginalPc head) {
  Head* known = head_of(proto, head);
  if (known == nullptr || known->looks == kMostLooks) return;
  ++known->looks;
  add_registers(thread, proto.max_stack_slots, &known->tags);
}

/// Null: it was not.
Sites* TypeRecorder::seen(const Proto& proto) {
  const auto found = functions_.find(&proto);
  return found == functions_.end() || found->second.sites.empty() ? nullptr : &found->second.sites;
}

const FrameTags* TypeRecorder::tags_at(const Proto& proto, OriginalPc head) const {
  const Head* known = const_cast<TypeRecorder*>(this)->head_of(proto, head);
  return known == nullptr ? nullptr : &known->tags;
}

/// Null: nothing is known of it.
TypeRecorder::Head* TypeRecorder::head_of(const Proto& proto, OriginalPc head) {
  const auto function = functions_.find(&proto);
  if (function == functions_.end()) return nullptr;
  const auto found = function->second.heads.find(head);
  return found == function->second.heads.end() ? nullptr : &found->second;
}

}  // namespace mangata::jit
