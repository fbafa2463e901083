#include <algorithm>

#include "jit/quick/x64/encoder.h"

namespace mangata::jit::quick::x64 {

namespace x86 = asmjit::x86;

x86::Mem ConstantPool::at(uint64_t bits, uint64_t, int bytes) {
  for (const Entry& entry : entries_) {
    if (entry.bits == bits && entry.bytes >= bytes) return x86::ptr(entry.label, 0, static_cast<uint32_t>(bytes));
  }
  entries_.push_back({bits, bytes, a_.newLabel()});
  return x86::ptr(entries_.back().label, 0, static_cast<uint32_t>(bytes));
}

void ConstantPool::emit() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.bytes > b.bytes; });
  if (!entries_.empty()) a_.align(asmjit::AlignMode::kData, 16);
  for (const Entry& entry : entries_) {
    a_.bind(entry.label);
    for (int i = 0; i < entry.bytes; i += 8) a_.embedUInt64(entry.bits);
  }
}

Encoder::Encoder(x86::Assembler& assembler, ConstantPool& pool, const Selected& selected, const std::vector<asmjit::Label>& functions,
                 const ForProfilers& for_profilers)
    : a_(assembler), pool_(pool), selected_(selected), code_(selected.code), functions_(functions), for_profilers_(for_profilers) {}

void Encoder::encode(const asmjit::Label& entry) {
  lay_out_frame();
  find_forwards();
  for (size_t i = 0; i < code_.blocks.size(); ++i) labels_.push_back(a_.newLabel());
  a_.bind(entry);
  prologue();
  for (size_t i = 0; i < layout_.size(); ++i) {
    next_ = i + 1 < layout_.size() ? layout_[i + 1] : kNone;
    block(layout_[i]);
  }
  for (size_t i = 0; i < splits_.size(); ++i) {
    a_.bind(splits_[i].label);
    next_ = kNone;
    const Edge& split = code_.edges[splits_[i].edge];
    note_place(last_instruction(code_.blocks[split.from]).place);
    edge(split);
  }
  note_place(0);
}

void Encoder::lay_out_frame() {
  if (for_profilers_.has_frame_pointer) saved_.push_back(kRbp);
  for (Register reg = 0; reg < 16; ++reg) {
    if ((code_.used_registers & kMachine.callee_saved & set_of(reg)) != 0) saved_.push_back(reg);
  }
  const uint32_t slots_end = selected_.argument_bytes + 8 * code_.slot_count;
  area_at_ = (slots_end + 15) & ~15u;
  frame_bytes_ = selected_.area_bytes != 0 ? area_at_ + selected_.area_bytes : slots_end;
  // Calls want a multiple of 16: the return address, what is pushed, and the frame.
  frame_bytes_ = (frame_bytes_ + 7) & ~7u;
  if ((8 + 8 * saved_.size() + frame_bytes_) % 16 != 0) frame_bytes_ += 8;
}

void Encoder::prologue() {
  for (const Register reg : saved_) {
    a_.push(word(reg));
    if (for_profilers_.has_frame_pointer && reg == kRbp) a_.mov(x86::rbp, x86::rsp);
  }
  if (frame_bytes_ != 0) a_.sub(x86::rsp, frame_bytes_);
}

void Encoder::epilogue() {
  if (frame_bytes_ != 0) a_.add(x86::rsp, frame_bytes_);
  for (size_t i = saved_.size(); i-- > 0;) a_.pop(word(saved_[i]));
  a_.ret();
}

/// A block that only jumps is left out: what leads to it leads to where it does. Of those that jump in a circle the first stays.
void Encoder::find_forwards() {
  forward_.assign(code_.blocks.size(), kNone);
  std::vector<BlockIndex> path;
  for (BlockIndex index = 0; index < forward_.size(); ++index) {
    BlockIndex target = index;
    for (path.clear(); forward_[target] == kNone && is_only_jump(target); target = code_.edges[code_.blocks[target].first_successor].to) {
      forward_[target] = target;
      path.push_back(target);
    }
    if (forward_[target] == kNone) forward_[target] = target;
    for (const BlockIndex passed : path) forward_[passed] = forward_[target];
  }
  for (BlockIndex index = 0; index < forward_.size(); ++index) {
    if (forward_[index] == index) layout_.push_back(index);
  }
  rotate_loops();
}

bool Encoder::is_only_jump(BlockIndex index) const {
  const Block& block = code_.blocks[index];
  if (index == 0 || block.instruction_count != 1 || code_.instructions[block.first_instruction].opcode != static_cast<uint16_t>(Op::Jump)) return false;
  return code_.edges[block.first_successor].move_count == 0 && block.parameter_count == 0;
}

/// A loop that is tested at its head and jumps back there: the head is laid out behind it, so that one branch an iteration is enough.
void Encoder::rotate_loops() {
  for (size_t at = 1; at < layout_.size(); ++at) {
    const BlockIndex head = layout_[at];
    const Block& block = code_.blocks[head];
    if (block.loop != head || block.is_cold || block.successor_count != 2) continue;
    size_t end = at + 1;
    const auto is_inside = [&](BlockIndex index) {
      for (BlockIndex loop = code_.blocks[index].loop; loop != kNone; loop = code_.blocks[loop].outer_loop) {
        if (loop == head) return !code_.blocks[index].is_cold;
      }
      return false;
    };
    while (end < layout_.size() && is_inside(layout_[end])) ++end;
    if (end == at + 1) continue;
    const Block& last = code_.blocks[layout_[end - 1]];
    if (last.successor_count != 1 || target_of(code_.edges[last.first_successor]) != head) continue;
    const BlockIndex body = layout_[at + 1];
    const Edge* edges = &code_.edges[block.first_successor];
    if (target_of(edges[0]) != body && target_of(edges[1]) != body) continue;
    const Edge& leaves = target_of(edges[0]) == body ? edges[1] : edges[0];
    if (is_inside(target_of(leaves))) continue;
    std::rotate(layout_.begin() + static_cast<ptrdiff_t>(at), layout_.begin() + static_cast<ptrdiff_t>(at) + 1, layout_.begin() + static_cast<ptrdiff_t>(end));
  }
}

void Encoder::block(BlockIndex index) {
  const Block& block = code_.blocks[index];
  a_.bind(labels_[index]);
  note_place(code_.instructions[block.first_instruction].place);
  for (uint32_t p = 0; p < block.parameter_count; ++p) {
    const ValueIndex parameter = code_.parameters[block.first_parameter + p];
    const Register reg = code_.parameter_registers[block.first_parameter + p];
    if (reg != kNoRegister && code_.values[parameter].spills_at_definition) move({0, in_register(reg), in_slot(parameter), false});
  }
  uint32_t next_move = block.first_move;
  for (uint32_t i = 0; i < block.instruction_count; ++i) {
    const uint32_t at = block.first_instruction + i;
    note_place(code_.instructions[at].place);
    while (next_move < code_.moves.size() && code_.moves[next_move].at == at) move(code_.moves[next_move++]);
    instruction(block, code_.instructions[at]);
    store_definitions(code_.instructions[at]);
  }
}

void Encoder::store_definitions(const Instruction& in) {
  for (uint32_t o = in.operand_count; o-- > 0;) {
    const Operand& definition = operand(in, o);
    if (is_use(definition.use)) return;
    if (!is_definition(definition.use) || !code_.values[definition.value].spills_at_definition) continue;
    move({0, in_register(definition.assigned), in_slot(definition.value), false});
  }
}

/// What is encoded from here on comes from there.
void Encoder::note_place(uint32_t place) {
  std::vector<PlaceRow>* rows = for_profilers_.places;
  if (rows == nullptr) return;
  const auto offset = static_cast<uint32_t>(a_.offset());
  if (!rows->empty() && rows->back().offset == offset) rows->pop_back();
  const uint32_t before = rows->empty() ? 0 : rows->back().place;
  if (place != before) rows->push_back({offset, place});
}

void Encoder::edge(const Edge& edge) {
  for (uint32_t m = 0; m < edge.move_count; ++m) move(code_.edge_moves[edge.first_move + m]);
  jump_to(target_of(edge));
}

void Encoder::jump_to(BlockIndex target) {
  if (target != next_) a_.jmp(labels_[target]);
}

asmjit::Label Encoder::label_of(const Edge& edge) {
  if (edge.move_count == 0) return labels_[target_of(edge)];
  splits_.push_back({static_cast<uint32_t>(&edge - code_.edges.data()), a_.newLabel()});
  return splits_.back().label;
}

void Encoder::branch(const Block& block, const Instruction& in) {
  compare(in, 0);
  const Edge& taken = code_.edges[block.first_successor];
  const Edge& other = code_.edges[block.first_successor + 1];
  if (falls_through(other) || (other.move_count != 0 && is_warm(other) && !falls_through(taken))) {
    jump_on(in.condition, label_of(taken));
    return edge(other);
  }
  if (falls_through(taken) || (taken.move_count != 0 && is_warm(taken))) {
    jump_on(opposite(in.condition), label_of(other));
    return edge(taken);
  }
  jump_on(in.condition, label_of(taken));
  a_.jmp(label_of(other));
}

void Encoder::switch_on(const Block& block, const Instruction& in) {
  const Register value = operand(in, 0).assigned;
  for (uint32_t i = 0; i + 1 < block.successor_count; ++i) {
    const int64_t constant = selected_.cases[static_cast<size_t>(in.immediate) + i];
    if (constant == static_cast<int32_t>(constant)) {
      a_.cmp(word(value), constant);
    } else {
      a_.cmp(word(value), pool_.of(static_cast<uint64_t>(constant)));
    }
    a_.j(x86::CondCode::kE, label_of(code_.edges[block.first_successor + i]));
  }
  edge(code_.edges[block.first_successor + block.successor_count - 1]);
}

}  // namespace mangata::jit::quick::x64
