#include "jit/build/direct_function.h"

#include <algorithm>
#include <span>

namespace mangata::jit {
namespace {

constexpr int kMostParameters = 8;

/// Whether all its returns are of at most one value.
bool returns_one(const RegionFunction& function) {
  return std::none_of(function.code.begin(), function.code.end(), [](const Instruction& in) {
    return in.op == Opcode::Return && (in.b != 2 || in.c != 0);
  });
}

bool calls(const RegionFunction& function, const Proto* callee) {
  for (size_t pc = 0; pc < function.code.size(); ++pc) {
    const SiteTypes& site = function.sites[pc];
    if (function.code[pc].op == Opcode::Call && site.callee == callee && !site.many_callees && site.count != 0) return true;
  }
  return false;
}

}  // namespace

bool DirectFunction::is_wanted(const RegionInput& input) {
  const RegionFunction& root = input.root();
  return input.is_function && root.captured.none() && root.parameter_count <= kMostParameters && returns_one(root) &&
         std::any_of(input.functions.begin(), input.functions.end(),
                     [&](const auto& function) { return calls(*function, root.proto); });
}

Kind DirectFunction::parameter_kind(Register reg) const {
  const TagMask tags = input_.entry_tags[static_cast<size_t>(reg)];
  if (!is_single(tags)) return Kind::Any;
  const Kind kind = kind_of_only(tags);
  return has_payload(kind) ? kind : Kind::Any;
}

void DirectFunction::make(ir::Module* module, const std::string& name, size_t room) {
  is_made_ = true;
  ir::Function& direct = module->functions.emplace_back(name, room);
  for (const IrType type : {IrType::Pointer, IrType::Pointer, IrType::Pointer, IrType::I64}) direct.add_parameter(type);
  for (int reg = 0; reg < input_.root().parameter_count; ++reg) {
    const Kind kind = parameter_kind(Register{reg});
    direct.add_parameter(kind == Kind::Float ? IrType::F64 : IrType::I64);
    if (kind == Kind::Any) direct.add_parameter(IrType::I64);
  }
  for (int i = 0; i < 3; ++i) direct.add_result(IrType::I64);
}

std::vector<Operand> DirectFunction::parameters() const {
  std::vector<Operand> all;
  const std::span<const IrValue> arguments = b_.function().parameters();
  size_t next = kFirstParameter;
  for (int reg = 0; reg < input_.root().parameter_count; ++reg) {
    Operand value{.kind = parameter_kind(Register{reg}), .payload = arguments[next++]};
    if (value.kind == Kind::Any) value.tag = arguments[next++];
    all.push_back(value);
  }
  return all;
}

void DirectFunction::refuse() {
  // Not by register: what is known of them belongs to another place.
  FrameSlot slot{};
  for (const Operand& value : parameters()) {
    b_.store_value(value, b_.frame_address(slot), Memory::Frame);
    ++slot;
  }
  b_.return_status(b_.i64(static_cast<uint64_t>(kRegionRefused)));
}

IrValue DirectFunction::has_returned(IrValue status) {
  static_assert(kRegionReturned == -3 && kRegionReturnedNothing == -4);
  return b_.eq(b_.bit_and(status, b_.word(~uint64_t{1})), b_.i64(static_cast<uint64_t>(kRegionReturnedNothing)));
}

void DirectFunction::wrap(ir::Function* region) {
  const RegionFunction& root = input_.root();
  b_.begin(region);
  b_.set_position(b_.make_block("entry"));
  std::vector<IrValue> values{b_.thread(), b_.base(), b_.vm()};
  values.push_back(root.counters == nullptr ? b_.word(0) : b_.load(IrType::I64, b_.frame_address(FrameSlot{-1}), Memory::Frame));
  IrValue all = b_.boolean(true);
  for (int reg = 0; reg < root.parameter_count; ++reg) {
    const Operand value = b_.load_value(b_.frame_address(FrameSlot{reg}), Memory::Frame);
    const Kind kind = parameter_kind(Register{reg});
    values.push_back(kind == Kind::Float ? b_.float_of_bits(value.payload) : value.payload);
    if (kind == Kind::Any) {
      values.push_back(value.tag);
    } else {
      all = b_.bit_and(all, b_.eq(value.tag, b_.word(static_cast<uint64_t>(tag_of(kind)))));
    }
  }
  Block enters = b_.make_block("enters");
  Block refused = b_.make_block("refused");
  Block returned = b_.make_block("returned");
  Block other = b_.make_block("not_returned");
  Block exits = b_.make_block("exits");
  b_.set_likely(b_.branch(all, enters, refused), true);
  b_.set_position(refused);
  b_.return_values({b_.word(0)});  // the first exit
  b_.set_position(enters);
  IrValue call = this->call(values);
  IrValue status = b_.result(call, 0, IrType::I64);
  b_.set_likely(b_.branch(has_returned(status), returned, other), true);
  b_.set_position(other);
  b_.branch(b_.eq(status, b_.i64(static_cast<uint64_t>(kRegionRefused))), refused, exits);
  b_.set_position(exits);
  b_.return_values({status});
  b_.set_position(returned);
  deliver_result(call);
}

/// Of the direct function. It is nil where nothing was returned.
void DirectFunction::deliver_result(IrValue call) {
  constexpr FrameSlot first{-kCallOverheadSlots};
  IrValue wanted =
      b_.load(IrType::I32, b_.frame_address(FrameSlot{-kFrameHeaderSlots}, offsetof(FrameHeader, tag_low_2) + 4), Memory::Frame);
  b_.store(b_.result(call, 1, IrType::I64), b_.frame_address(first), Memory::Frame);
  b_.store(b_.result(call, 2, IrType::I64), b_.frame_address(first, offsetof(Value, tag)), Memory::Frame);
  Block done = b_.make_block("done");
  Block more = b_.make_block("more_wanted");
  Block all = b_.make_block("all_wanted");
  Block fills = b_.make_block("fills");
  const ir::Variable filled = b_.new_variable(IrType::I32);
  b_.set_likely(b_.branch(b_.ugt(wanted, b_.i32(1)), more, done), false);
  b_.set_position(more);
  b_.set(filled, b_.i32(1));
  b_.branch(b_.eq(wanted, b_.i32(FrameHeader::kWantedMask)), all, fills);
  b_.set_position(all);
  IrValue has_one = b_.eq(b_.result(call, 0, IrType::I64), b_.i64(static_cast<uint64_t>(kRegionReturned)));
  b_.store(b_.select(has_one, b_.frame_address(first + 1), b_.frame_address(first)), b_.at(b_.thread(), offsetof(Thread, top)), Memory::Machine);
  b_.jump(done);
  b_.set_position(fills);
  IrValue i = b_.get(filled);
  IrValue slot = b_.address(b_.frame_address(first), b_.zext(i, IrType::I64), sizeof(Value));
  b_.store(b_.word(0), slot, Memory::Frame);
  b_.store(b_.word(static_cast<uint64_t>(Tag::Nil)), b_.at(slot, offsetof(Value, tag)), Memory::Frame);
  IrValue next = b_.add(i, b_.i32(1));
  b_.set(filled, next);
  b_.branch(b_.ult(next, wanted), fills, done);
  b_.set_position(done);
  b_.return_values({b_.i64(static_cast<uint64_t>(kRegionReturned))});
}

}  // namespace mangata::jit
