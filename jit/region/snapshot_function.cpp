#include "jit/region/snapshot_function.h"

#include <algorithm>
#include <deque>
#include <map>

#include "jit/abi/runtime_arithmetic.h"
#include "jit/abi/small_function.h"
#include "jit/baseline/known_types.h"
#include "jit/region/peeling.h"
#include "jit/region/region_benefit.h"
#include "jit/region/why_not.h"
#include "numbering/loops.h"
#include "profiler/function_shape.h"
#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/cfg.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/object/function.h"

namespace mangata::jit {
namespace {

int jump_target(const Instruction& in, int pc) { return pc + 1 + in.imm; }

bool has_jump(const Instruction& in) {
  const ControlFlow flow = opcode_info(in.op).flow;
  return flow == ControlFlow::Jump || flow == ControlFlow::Branch;
}

/// Local variables in scope, and registers whose type baseline code knows, per pc of the version.
void add_known(const Proto& proto, const VersionCode& version, std::vector<RegisterSet>* live) {
  KnownTypes types(proto, version.address(), version.length(), {}, version.end());
  for (CodePc pc{}; pc < version.end(); pc = pc + 1) {
    RegisterSet& here = (*live)[static_cast<size_t>(pc)];
    types.move_to(pc);
    for (int reg = 0; reg < proto.max_stack_slots; ++reg) {
      if (types.kind(Register{reg}) != NumberKind::Unknown) here.set(static_cast<size_t>(reg));
    }
    const int original_pc = value_of(version.original_pc(version.behind_events(pc)));
    size_t active = 0;
    for (const LocalVariable& local : proto.locals) {
      if (local.start_pc > original_pc) break;
      if (original_pc < local.end_pc && active < proto.max_stack_slots) here.set(active++);
    }
  }
}

/// Backwards over the code until nothing changes. Afterwards, local variables in scope count as read, for the debug library; and
/// registers of which baseline code knows the type: it may have left out stores of their tags further on, also of dead ones.
std::vector<RegisterSet> find_live(const Proto& proto, const VersionCode& version) {
  const std::vector<Instruction>& code = proto.original_code;
  std::vector<RegisterSet> live(code.size() + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t pc = code.size(); pc-- > 0;) {
      const Instruction& in = code[pc];
      const RegisterEffects effects = register_effects(in, proto.max_stack_slots);
      RegisterSet after;
      const ControlFlow flow = opcode_info(in.op).flow;
      if (flow == ControlFlow::Next || flow == ControlFlow::Branch) after |= live[pc + 1];
      if (has_jump(in)) after |= live[static_cast<size_t>(jump_target(in, static_cast<int>(pc)))];
      RegisterSet before = (after & ~effects.writes) | effects.reads;
      if (before == live[pc]) continue;
      live[pc] = before;
      changed = true;
    }
  }
  live = version.translate(live);
  add_known(proto, version, &live);
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
  if (!proto.nested.empty()) return false;
  return std::none_of(proto.original_code.begin(), proto.original_code.end(), [](const Instruction& in) {
    return in.op == Opcode::Closure || in.op == Opcode::ToBeClosed || in.op == Opcode::GenericForPrepare;
  });
}

class Collector {
 public:
  Collector(Vm& vm, const TypeRecorder& recorder, const RegionLimits& limits, RegionInput* input)
      : vm_(vm), recorder_(recorder), limits_(limits), input_(input) {}

  /// The function, and those that calls there may be replaced by: what is called by fewer others first. False: it is too large.
  bool collect(const Proto& root) {
    if (add(root, 0) == nullptr) return false;
    for (; !added_last_.empty(); added_last_.pop_front()) {
      const auto [function, depth] = added_last_.front();
      if (depth < limits_.depth) add_callees(function, depth);
    }
    return true;
  }

 private:
  /// Null: it cannot be inlined, or there is no room.
  const RegionFunction* add(const Proto& proto, int depth) {
    if (const auto found = added_.find(&proto); found != added_.end()) return found->second;
    const Sites* sites = recorder_.sites(proto);
    const bool may_be_inlined = is_inlinable(proto) && proto.original_code.size() <= limits_.inlined_size;
    if (sites == nullptr || size_ + proto.original_code.size() > limits_.size || (depth > 0 && !may_be_inlined)) return nullptr;
    size_ += proto.original_code.size();
    auto copy = std::make_unique<RegionFunction>();
    RegionFunction* function = copy.get();
    input_->functions.push_back(std::move(copy));
    added_[&proto] = function;
    function->index = static_cast<int>(input_->functions.size()) - 1;
    function->proto = &proto;
    const VersionCode version(proto, limits_.with_events);
    function->address = version.address();
    function->code = version.instructions();
    function->events = version.events();
    function->counters = version.counters();
    function->sites = Sites(function->code.size());
    for (CodePc pc{}; pc < version.end(); pc = pc + 1) {
      const auto original_pc = static_cast<size_t>(version.original_pc(pc));
      function->original_pcs.push_back(version.original_pc(pc));
      if (!version.is_event(pc) && sites->may_be_written(original_pc)) function->sites.at(static_cast<size_t>(pc)) = (*sites)[original_pc];
    }
    function->is_optimized.resize(function->original_pcs.size());
    function->constants = proto.constants;
    for (const Value& constant : proto.constants) {
      function->is_short_string.push_back(constant.is_string() && constant.as_string()->is_short());
    }
    function->caches = proto.caches;
    function->is_leader = version.translate(find_leaders(proto.original_code));
    for (CodePc pc{}; pc < version.end(); pc = pc + 1) {
      if (version.is_event(pc)) function->is_leader[static_cast<size_t>(pc)] = false;  // each lies on one edge
    }
    function->live = find_live(proto, version);
    function->captured = find_captured(proto);
    function->parameter_count = proto.parameter_count;
    function->register_count = proto.max_stack_slots;
    function->is_inlinable = may_be_inlined;
    function->callees.resize(function->code.size());
    if (function->is_inlinable) input_->inlinable[&proto] = function;
    pin_caches(*function);
    add_cases(function);
    add_operators(function);
    add_handlers(function);
    add_metatables(function);
    added_last_.emplace_back(function, depth);
    return function;
  }

  void pin(const void* object) {
    if (object != nullptr) input_->pinned.push_back(static_cast<Object*>(const_cast<void*>(object)));
  }

  void pin_caches(const RegionFunction& function) {
    for (const InlineCache& cache : function.caches) {
      if (cache.kind == InlineCache::kEmpty) continue;
      pin_cache(cache);
      if (cache.kind == InlineCache::kAdd) pin(cache.new_shape);
    }
    pin(function.proto);
    function.sites.for_each_written([&](const SiteTypes& site) {
      pin(site.callee);
      for (const Proto* callee : site.several_callees()) pin(callee);
    });
  }

  void pin_cache(const InlineCache& cache) {
    pin(cache.shape);
    input_->epochs[cache.shape] = &cache.shape->root->epoch;
    if (cache.kind == InlineCache::kMetatable || cache.kind == InlineCache::kHandler) pin(cache.holder_shape), pin(cache.holder);
  }

  /// Of fields that were accessed in tables of several shapes, or of another than the site's cache is about: where each has it.
  void add_cases(RegionFunction* function) {
    for (size_t pc = 0; pc < function->code.size(); ++pc) {
      const SiteTypes& site = function->sites[pc];
      const Instruction& in = function->code[pc];
      const bool is_store = in.op == Opcode::SetField;
      if ((in.op != Opcode::GetField && in.op != Opcode::Self && !is_store) || in.d == kNoInlineCache) continue;
      if (!site.many_shapes && (site.shape == nullptr || site.shape == function->caches[in.d].shape)) continue;
      String* key = function->constants[is_store ? in.b : in.c].as_string();
      for (Shape* shape : site.all_shapes()) {
        FieldCase field_case;
        if (!learn_get_of_shape(vm_, shape, key, &field_case.cache)) continue;
        const bool is_own = field_case.cache.kind == InlineCache::kOwn;
        const bool is_inherited = field_case.cache.kind == InlineCache::kMetatable;
        if (!is_own && (is_store || (!is_inherited && field_case.cache.kind != InlineCache::kAbsent))) continue;
        if (is_inherited) {
          const Value& found = field_case.cache.holder->slots[field_case.cache.slot];
          if (found.is_lua_function()) field_case.method = found.as_lua_function()->proto;
        }
        pin_cache(field_case.cache);
        pin(field_case.method);
        function->cases[CodePc(pc)].push_back(field_case);
      }
    }
  }

  /// Metamethods are found by the shape of the operand that has them: it says the metatable.
  void add_operators(RegionFunction* function) {
    for (size_t pc = 0; pc < function->code.size(); ++pc) {
      const SiteTypes& site = function->sites[pc];
      const std::optional<ArithmeticOperator> op = operator_of(function->code[pc]);
      if (!op || site.callee == nullptr || site.many_callees || site.many_shapes || site.shape == nullptr) continue;
      FieldCase field_case{.cache = {}, .method = site.callee};
      field_case.cache.kind = InlineCache::kMetatable;
      field_case.cache.shape = const_cast<Shape*>(site.shape);
      if (!site.shape->has_metatable || site.shape->root->is_stale) continue;
      field_case.cache.holder = site.shape->common_metatable;  // null: each operand has its own
      field_case.cache.holder_shape = field_case.cache.holder != nullptr ? field_case.cache.holder->shape : const_cast<Shape*>(site.metatable_shape);
      if (field_case.cache.holder_shape == nullptr || field_case.cache.holder_shape->is_dictionary) continue;
      field_case.cache.slot = shape_find(field_case.cache.holder_shape, vm_.name_of(event_of(*op)));
      if (field_case.cache.slot == kNoSlot) continue;
      pin_cache(field_case.cache);
      function->operators.emplace(CodePc(pc), field_case);
    }
  }

  /// Accesses of properties that call a function of Lua, as their caches know.
  void add_handlers(RegionFunction* function) {
    for (size_t pc = 0; pc < function->code.size(); ++pc) {
      const SiteTypes& site = function->sites[pc];
      const Instruction& in = function->code[pc];
      const bool is_by_name = in.op == Opcode::GetField || in.op == Opcode::Self || in.op == Opcode::SetField ||
                              in.op == Opcode::GetGlobal || in.op == Opcode::SetGlobal;
      if (!is_by_name || in.d == kNoInlineCache || site.callee == nullptr || site.many_callees || site.many_shapes) continue;
      const InlineCache& cache = function->caches[in.d];
      if (cache.kind != InlineCache::kHandler || site.shape != cache.shape) continue;
      function->operators.emplace(CodePc(pc), FieldCase{.cache = cache, .method = site.callee});
    }
  }

  void add_metatables(RegionFunction* function) {
    for (size_t pc = 0; pc < function->code.size(); ++pc) {
      const SiteTypes& site = function->sites[pc];
      if (site.to == nullptr || site.many_callees || site.many_shapes || site.shape == nullptr) continue;
      if (site.shape->has_metatable || site.shape->is_dictionary || site.metatable_shape->is_dictionary) continue;
      if (shape_find(const_cast<Shape*>(site.metatable_shape), vm_.name_of(Metamethod::Gc)) != kNoSlot) continue;
      MetatableCase metatable_case{.metatable = site.to->common_metatable, .metatable_shape = site.metatable_shape, .from = site.shape, .to = site.to};
      if (metatable_case.metatable == nullptr && !add_class(&metatable_case)) continue;
      for (const void* object : {static_cast<const void*>(metatable_case.metatable), static_cast<const void*>(metatable_case.metatable_shape),
                                 static_cast<const void*>(metatable_case.from), static_cast<const void*>(metatable_case.to)})
        pin(object);
      function->metatables.emplace(CodePc(pc), std::move(metatable_case));
    }
  }

  /// What metatables of the class say. False: there is none any more.
  bool add_class(MetatableCase* metatable_case) {
    const Shape& root = *metatable_case->to->root;
    const MetatableClass* found = root.metatable_class;
    const MetatableLayout* layout = metatable_case->metatable_shape->layout.get();
    if (found == nullptr || layout == nullptr || layout->slots.size() != found->says.size()) return false;
    for (size_t i = 0; i < found->says.size(); ++i) {
      const MetamethodEntry& said = found->says[i];
      metatable_case->says.push_back({layout->slots[i].slot, said.tag, said.identity});
      if (said.tag >= kFirstCollectableTag) pin(reinterpret_cast<const Object*>(said.identity));
    }
    metatable_case->flags = static_cast<uint8_t>(found->absent | kUsedAsMetatable);
    metatable_case->epoch = root.epoch;
    input_->epochs[metatable_case->to] = &root.epoch;
    return true;
  }

  void add_callees(RegionFunction* function, int depth) {
    for (const auto& [pc, cases] : function->cases) {
      for (const FieldCase& field_case : cases) {
        if (function->code[static_cast<size_t>(pc)].op == Opcode::Self && field_case.method != nullptr) add(*field_case.method, depth + 1);
      }
    }
    for (size_t pc = 0; pc < function->code.size(); ++pc) {
      const SiteTypes& site = function->sites[pc];
      const Opcode op = function->code[pc].op;
      // The region's own frame has to leave, unless it begins anew.
      const bool goes_on = op == Opcode::Call || (op == Opcode::TailCall && (depth > 0 || site.callee == function->proto));
      if (goes_on) {
        for (const Proto* callee : site.several_callees()) add(*callee, depth + 1);
      }
      const bool calls = goes_on || op == Opcode::GenericForCall || function->operators.contains(CodePc(pc));
      if (!calls || site.callee == nullptr || site.many_callees) continue;
      const RegionFunction* callee = add(*site.callee, depth + 1);
      if (callee != nullptr && callee->is_inlinable) function->callees[pc] = callee;
    }
  }

  Vm& vm_;
  const TypeRecorder& recorder_;
  const RegionLimits& limits_;
  RegionInput* input_;
  size_t size_ = 0;
  std::map<const Proto*, const RegionFunction*> added_;
  std::deque<std::pair<RegionFunction*, int>> added_last_;  ///< whose callees have not been looked at, and how deep they are
};

}  // namespace

namespace {

struct SeenLoop {
  OriginalPc head_pc{};  ///< where it goes back to
  int line = -1;
  uint32_t iterations = 0;
  std::vector<bool> body;  ///< per pc
};

/// The natural loops that the recorder has seen go back, outermost first.
std::vector<SeenLoop> seen_loops(const Proto& proto, const Sites& sites, const TypeRecorder& recorder) {
  std::vector<SeenLoop> result;
  const FunctionShape shape = shape_of(proto);
  const numbering::LoopForest forest = numbering::LoopForest::find(shape.graph);
  for (const numbering::LoopId id : forest.ids()) {
    if (forest[id].kind != numbering::LoopKind::Natural) continue;
    const int first_pc = shape.blocks[forest[id].head.index()].first_pc;
    OriginalPc head_pc{first_pc};
    uint32_t iterations = 0;
    if (proto.original_code[static_cast<size_t>(first_pc)].op == Opcode::GenericForCall) {
      // The head, by control flow, is the call of the iterator. But the loop goes back behind it: from GenericForLoop to the body.
      const auto loop_pc = static_cast<size_t>(first_pc + 1);
      head_pc = head_pc + (2 + proto.original_code[loop_pc].imm);
      iterations = sites[loop_pc].taken;
    } else {
      for (const numbering::EdgeId edge : forest[id].backedges) {
        const auto last_pc = static_cast<size_t>(shape.blocks[shape.graph.source(edge).index()].end_pc - 1);
        if (is_backedge(proto.original_code[last_pc])) iterations += sites[last_pc].taken;
      }
    }
    if (recorder.tags_at(proto, head_pc) == nullptr) continue;
    result.push_back({head_pc, line_of_loop(shape, forest[id]), iterations, body_of(shape, forest, id, sites.size())});
  }
  return result;
}

/// What is worth a region.
struct Benefit {
  uint32_t calls = 8;
  uint32_t few_calls = 3;    ///< are enough where these have executed so many:
  uint64_t many_executed = 300;
  uint64_t share = 8;  ///< one of so many bytecodes that the function executes itself has to be in the loop
};
constexpr Benefit kAnything{.calls = 2, .share = UINT32_MAX};

}  // namespace

namespace {

/// With places in that version.
PlacedLoop place_in(const VersionCode& version, const LoopContexts& loop) {
  PlacedLoop result{.formed = loop, .head_pc = version.place_of(loop.head_pc)};
  if (loop.is_by_facts()) result.body = version.translate(loop.body);
  for (const LoopPath& path : loop.paths) {
    std::vector<PlacedLoop::Step>& steps = result.paths.emplace_back();
    for (const BranchStep& step : path) steps.push_back({version.place_of(step.pc), step.taken});
  }
  return result;
}

}  // namespace

PathCode path_code_of(const Proto& proto, const Sites* sites) {
  PathCode code{.code = proto.original_code, .constants = proto.constants, .register_count = proto.max_stack_slots, .captured = find_captured(proto)};
  if (sites == nullptr) return code;
  constexpr TagMask kBooleans = tag_bit(Tag::True) | tag_bit(Tag::False);
  for (size_t pc = 0; pc < sites->size(); ++pc) {
    const Opcode op = proto.original_code[pc].op;
    const bool is_copy = op == Opcode::CopyJumpIfTrue || op == Opcode::CopyJumpIfFalse;
    const TagMask tested = is_copy ? (*sites)[pc].right : (*sites)[pc].left;
    code.is_always_boolean.push_back(tested != 0 && (tested & ~kBooleans) == 0);
  }
  return code;
}

std::vector<RegionRoot> choose_roots(const Proto& proto, const TypeRecorder& recorder, bool checks_profitability) {
  const Benefit least = checks_profitability ? Benefit{} : kAnything;
  const Sites* sites = recorder.sites(proto);
  if (sites == nullptr) return {};
  const std::vector<SeenLoop> loops = seen_loops(proto, *sites, recorder);
  uint64_t executed = 0, iterations = 0;
  sites->for_each_written([&](const SiteTypes& site) { executed += site.count; });
  for (const SeenLoop& loop : loops) iterations += loop.iterations;
  const uint64_t calls = (*sites)[0].count;
  const bool is_often = calls >= least.calls || (calls >= least.few_calls && executed >= least.many_executed);
  const bool is_called = !proto.is_vararg && is_often && !(checks_profitability && is_too_small(proto)) &&
                         recorder.tags_at(proto, OriginalPc{}) != nullptr &&
                         std::none_of(loops.begin(), loops.end(), [](const SeenLoop& loop) { return loop.head_pc == OriginalPc{}; });
  if (is_called && iterations <= 16 * calls) {
    return {{.is_function = true, .line = std::max(proto.line_defined, 1), .body = std::vector<bool>(sites->size(), true)}};
  }
  std::vector<RegionRoot> roots;
  std::vector<bool> covered(sites->size(), false);
  for (const SeenLoop& loop : loops) {
    if (loop.iterations < 2 || covered[static_cast<size_t>(loop.head_pc)]) continue;
    uint64_t inside = 0;
    for (size_t pc = 0; pc < loop.body.size(); ++pc) {
      if (loop.body[pc]) inside += (*sites)[pc].count, covered[pc] = true;
    }
    if (inside * least.share >= executed) roots.push_back({.head_pc = loop.head_pc, .line = loop.line, .body = loop.body});
  }
  return roots;
}

std::unique_ptr<RegionInput> make_region_input(Vm& vm, const Proto& proto, const RegionRoot& root,
                                               const TypeRecorder& recorder, const RegionLimits& limits,
                                               std::vector<LoopContexts>* loops, std::string* why) {
  const FrameTags* tags = recorder.tags_at(proto, root.head_pc);
  if (tags == nullptr) {
    *why = why_no_region(WhyNot::StartNotSeen);
    return nullptr;
  }
  auto input = std::make_unique<RegionInput>();
  if (!Collector(vm, recorder, limits, input.get()).collect(proto)) {
    *why = why_no_region(WhyNot::FunctionTooLarge);
    return nullptr;
  }
  const VersionCode version(proto, limits.with_events);
  input->entry_pc = root.is_function ? CodePc{} : version.place_of(root.head_pc);
  input->is_function = root.is_function;
  input->checks_profitability = limits.checks_profitability;
  input->entry_tags = *tags;
  String* const number_sign = vm.intern("#");
  input->number_sign = number_sign;
  input->pinned.push_back(number_sign);
  input->in_region = version.translate(root.body);
  const auto is_inlined = [&](const Proto& callee) { return input->inlinable.contains(&callee); };
  const Sites& sites = *recorder.sites(proto);
  const std::vector<SeenLoop> seen = loops->empty() ? std::vector<SeenLoop>() : seen_loops(proto, sites, recorder);
  for (LoopContexts& loop : *loops) {
    const auto found = std::find_if(seen.begin(), seen.end(), [&](const SeenLoop& other) { return other.head_pc == loop.head_pc; });
    if (loop.is_by_facts()) {
      // It is around no other, so of all loops around its head it is the smallest.
      loop.body.assign(sites.size(), true);
      for (const SeenLoop& other : seen) {
        const auto size = [](const std::vector<bool>& body) { return std::count(body.begin(), body.end(), true); };
        if (other.body[static_cast<size_t>(loop.head_pc)] && size(other.body) < size(loop.body)) loop.body = other.body;
      }
    }
    const bool is_peeled = found == seen.end() || is_peeling_profitable(proto, sites, found->body, loop.head_pc, is_inlined);
    if (!is_peeled) leave_out_first_iteration(&loop);
    input->loops.push_back(place_in(version, loop));
  }
  return input;
}

}  // namespace mangata::jit
