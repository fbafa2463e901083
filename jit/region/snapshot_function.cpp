#include "jit/region/snapshot_function.h"

#include <algorithm>
#include <map>

#include "jit/baseline/known_types.h"
#include "numbering/loops.h"
#include "profiler/function_shape.h"
#include "vm/object/function.h"

namespace mangata::jit {
namespace {

int jump_target(const Instruction& in, int pc) { return pc + 1 + in.imm; }

bool has_jump(const Instruction& in) {
  const ControlFlow flow = opcode_info(in.op).flow;
  return flow == ControlFlow::Jump || flow == ControlFlow::Branch;
}

std::vector<bool> find_leaders(const std::vector<Instruction>& code) {
  std::vector<bool> leaders(code.size() + 1, false);
  leaders[0] = true;
  for (size_t pc = 0; pc < code.size(); ++pc) {
    const ControlFlow flow = opcode_info(code[pc].op).flow;
    if (flow == ControlFlow::Next) continue;
    leaders[pc + 1] = true;
    if (has_jump(code[pc])) leaders[static_cast<size_t>(jump_target(code[pc], static_cast<int>(pc)))] = true;
  }
  return leaders;
}

/// Backwards over the code until nothing changes. Afterwards, local variables in scope count as read, for the debug library; and
/// registers of which baseline code knows the type: it may have left out stores of their tags further on, also of dead ones.
std::vector<RegisterSet> find_live(const Proto& proto) {
  const std::vector<Instruction>& code = proto.original_code;
  std::vector<RegisterSet> live(code.size() + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t pc = code.size(); pc-- > 0;) {
      const Instruction& in = code[pc];
      const RegisterEffects its = register_effects(in, proto.max_stack_slots);
      RegisterSet after;
      const ControlFlow flow = opcode_info(in.op).flow;
      if (flow == ControlFlow::Next || flow == ControlFlow::Branch) after |= live[pc + 1];
      if (has_jump(in)) after |= live[static_cast<size_t>(jump_target(in, static_cast<int>(pc)))];
      RegisterSet before = (after & ~its.writes) | its.reads;
      if (before == live[pc]) continue;
      live[pc] = before;
      changed = true;
    }
  }
  const int length = static_cast<int>(code.size());
  KnownTypes types(proto, code.data(), length);
  for (int pc = 0; pc < length; ++pc) {
    types.move_to(pc);
    for (int reg = 0; reg < proto.max_stack_slots; ++reg) {
      if (types.kind(reg) != NumberKind::Unknown) live[static_cast<size_t>(pc)].set(static_cast<size_t>(reg));
    }
  }
  for (size_t pc = 0; pc < code.size(); ++pc) {
    size_t active = 0;
    for (const LocalVariable& local : proto.locals) {
      if (local.start_pc > static_cast<int>(pc)) break;
      if (static_cast<int>(pc) < local.end_pc) live[pc].set(active++);
    }
  }
  return live;
}

RegisterSet find_captured(const Proto& proto) {
  RegisterSet captured;
  for (const Proto* nested : proto.nested) {
    for (const UpvalueDescription& upvalue : nested->upvalues) {
      if (upvalue.from_parent_register) captured.set(upvalue.index);
    }
  }
  return captured;
}

/// Whether a call may be replaced by the body: nothing in it needs a frame of its own all the time.
bool is_inlinable(const Proto& proto) {
  if (proto.is_vararg || !proto.nested.empty()) return false;
  return std::none_of(proto.original_code.begin(), proto.original_code.end(), [](const Instruction& in) {
    return in.op == Opcode::TailCall || in.op == Opcode::Closure || in.op == Opcode::Close ||
           in.op == Opcode::ToBeClosed || in.op == Opcode::GenericForPrepare ||
           (in.op == Opcode::Return && (in.b == 0 || in.c != 0));
  });
}

class Collector {
 public:
  Collector(const TypeRecorder& recorder, const RegionLimits& limits, RegionInput* input)
      : recorder_(recorder), limits_(limits), input_(input) {}

  const RegionFunction* add(const Proto& proto, int depth) {
    if (const auto found = added_.find(&proto); found != added_.end()) return found->second;
    const std::vector<SiteTypes>* sites = recorder_.sites(proto);
    if (sites == nullptr || size_ + proto.original_code.size() > limits_.size) return nullptr;
    size_ += proto.original_code.size();
    auto copy = std::make_unique<RegionFunction>();
    RegionFunction* function = copy.get();
    input_->functions.push_back(std::move(copy));
    added_[&proto] = function;
    function->proto = &proto;
    function->address = proto.original_code.data();
    function->code = proto.original_code;
    function->constants = proto.constants;
    for (const Value& constant : proto.constants) {
      function->is_short_string.push_back(constant.is_string() && constant.as_string()->is_short());
    }
    function->caches = proto.caches;
    function->sites = *sites;
    function->is_leader = find_leaders(proto.original_code);
    function->live = find_live(proto);
    function->captured = find_captured(proto);
    function->parameter_count = proto.parameter_count;
    function->register_count = proto.max_stack_slots;
    function->upvalue_count = static_cast<int>(proto.upvalues.size());
    function->is_inlinable = is_inlinable(proto) && proto.original_code.size() <= limits_.inlined_size;
    function->callees.resize(proto.original_code.size());
    pin_caches(*function);
    if (depth < limits_.depth) add_callees(function, depth);
    return function;
  }

 private:
  void pin(const void* object) {
    if (object != nullptr) input_->pinned.push_back(static_cast<Object*>(const_cast<void*>(object)));
  }

  void pin_caches(const RegionFunction& function) {
    for (const InlineCache& cache : function.caches) {
      if (cache.kind == InlineCache::kEmpty || cache.kind == InlineCache::kMegamorphic) continue;
      pin(cache.shape);
      if (cache.kind == InlineCache::kAdd) pin(cache.new_shape);
      if (cache.kind == InlineCache::kMetatable) pin(cache.holder_shape), pin(cache.holder);
    }
    pin(function.proto);
  }

  void add_callees(RegionFunction* function, int depth) {
    for (size_t pc = 0; pc < function->code.size(); ++pc) {
      const SiteTypes& site = function->sites[pc];
      if (function->code[pc].op != Opcode::Call || site.callee == nullptr || site.many_callees) continue;
      const RegionFunction* callee = add(*site.callee, depth + 1);
      if (callee != nullptr && callee->is_inlinable) function->callees[pc] = callee;
    }
  }

  const TypeRecorder& recorder_;
  const RegionLimits& limits_;
  RegionInput* input_;
  size_t size_ = 0;
  std::map<const Proto*, const RegionFunction*> added_;
};

}  // namespace

std::vector<SeenLoop> seen_loops(const Proto& proto, const TypeRecorder& recorder) {
  const std::vector<SiteTypes>* sites = recorder.sites(proto);
  std::vector<SeenLoop> result;
  if (sites == nullptr) return result;
  const FunctionShape shape = shape_of(proto);
  const numbering::LoopForest forest = numbering::LoopForest::find(shape.graph);
  for (const numbering::LoopId id : forest.ids()) {
    if (forest[id].kind != numbering::LoopKind::Natural) continue;
    const int head_pc = shape.blocks[forest[id].head.index()].first_pc;
    if (recorder.tags_at(proto, head_pc) == nullptr) continue;
    uint32_t iterations = 0;
    for (const numbering::EdgeId edge : forest[id].backedges) {
      const SiteTypes& site =
          (*sites)[static_cast<size_t>(shape.blocks[shape.graph.source(edge).index()].end_pc - 1)];
      iterations += site.taken;
    }
    result.push_back({head_pc, shape.first_line(forest[id].head), iterations});
  }
  return result;
}

namespace {

/// Instructions that are no faster in a region than in baseline code, or slower.
bool gains_nothing(const RegionFunction& function, size_t pc) {
  const SiteTypes& site = function.sites[pc];
  switch (function.code[pc].op) {
    case Opcode::NewTable:
    case Opcode::SetList:
    case Opcode::Concat:
    case Opcode::Closure:
    case Opcode::TailCall:
    case Opcode::Vararg:
      return true;
    case Opcode::GetField:
    case Opcode::Self:
    case Opcode::SetField:
      return site.many_shapes;
    case Opcode::Call:
      return function.callees[pc] == nullptr && (site.native_id == 0 || site.many_callees);
    default:
      return false;
  }
}

bool switches_coroutines(const SiteTypes& site) {
  const auto id = static_cast<NativeId>(site.native_id);
  return id == NativeId::Resume || id == NativeId::ResumeWrapped || id == NativeId::Yield;
}

/// The gate: empty, or why the region would not pay.
std::string refusal(const RegionInput& input) {
  uint64_t all = 0, slow = 0;
  for (const auto& function : input.functions) {
    const bool is_root = function == input.functions.front();
    for (size_t pc = 0; pc < function->code.size(); ++pc) {
      if (is_root && !input.in_region[pc]) continue;
      const SiteTypes& site = function->sites[pc];
      if (site.count != 0 && switches_coroutines(site)) return "it switches coroutines";
      all += site.count;
      if (gains_nothing(*function, pc)) slow += site.count;
    }
  }
  constexpr uint64_t kOneIn = 12;
  if (slow * kOneIn > all)
    return std::to_string(100 * slow / std::max<uint64_t>(all, 1)) +
           "% of its instructions are calls of the runtime";
  return {};
}

}  // namespace

std::unique_ptr<RegionInput> make_region_input(const Proto& proto, int head_pc, const TypeRecorder& recorder,
                                               std::vector<LoopContexts> loops, const RegionLimits& limits,
                                               std::string* why) {
  const FrameTags* tags = recorder.tags_at(proto, head_pc);
  if (tags == nullptr) {
    *why = "the loop has not gone back while it was recorded";
    return nullptr;
  }
  auto input = std::make_unique<RegionInput>();
  if (Collector(recorder, limits, input.get()).add(proto, 0) == nullptr) {
    *why = "the function is too large";
    return nullptr;
  }
  input->entry_pc = head_pc;
  input->entry_tags = *tags;
  input->in_region.resize(proto.original_code.size(), false);
  const FunctionShape shape = shape_of(proto);
  const numbering::LoopForest forest = numbering::LoopForest::find(shape.graph);
  for (const numbering::LoopId id : forest.ids()) {
    if (forest[id].kind != numbering::LoopKind::Natural) continue;
    if (shape.blocks[forest[id].head.index()].first_pc != head_pc) continue;
    for (const numbering::BlockId block : forest.body(shape.graph, id)) {
      const BlockShape& its = shape.blocks[block.index()];
      for (int pc = its.first_pc; pc < its.end_pc; ++pc) input->in_region[static_cast<size_t>(pc)] = true;
    }
  }
  if (*why = limits.is_gated ? refusal(*input) : std::string(); !why->empty()) return nullptr;
  for (LoopContexts& loop : loops) {
    if (input->in_region[static_cast<size_t>(loop.head_pc)]) input->loops.push_back(std::move(loop));
  }
  return input;
}

}  // namespace mangata::jit
