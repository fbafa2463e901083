// Finding basic blocks: a leader is the entry, the target of a jump, or what follows a jump, branch or
// return.
#include "vm/bytecode/cfg.h"

#include <algorithm>

#include "vm/bytecode/disassembler.h"
#include "vm/object/string.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

bool may_jump(ControlFlow flow) { return flow == ControlFlow::Jump || flow == ControlFlow::Branch; }

void add_edges(Cfg& cfg, BlockIndex from, const Instruction& last) {
  BasicBlock& block = cfg.blocks[to_index(from)];
  block.first_edge = static_cast<uint32_t>(cfg.edges.size());
  const ControlFlow flow = opcode_info(last.op).flow;
  if (flow == ControlFlow::Next || flow == ControlFlow::Branch) {
    cfg.edges.push_back({from, cfg.block_at(block.end_pc), CfgEdge::Kind::FallThrough});
  }
  if (may_jump(flow)) cfg.edges.push_back({from, cfg.block_at(block.end_pc + last.imm), CfgEdge::Kind::Jump});
  if (flow == ControlFlow::Return) cfg.edges.push_back({from, cfg.exit(), CfgEdge::Kind::Return});
  block.edge_count = static_cast<uint32_t>(cfg.edges.size()) - block.first_edge;
}

void mark_reachable(Cfg& cfg) {
  std::vector<BlockIndex> pending{cfg.entry()};
  cfg.blocks[0].is_reachable = true;
  while (!pending.empty()) {
    const BlockIndex from = pending.back();
    pending.pop_back();
    for (const CfgEdge& edge : cfg.successors(from)) {
      if (edge.to == cfg.exit() || cfg.block(edge.to).is_reachable) continue;
      cfg.blocks[to_index(edge.to)].is_reachable = true;
      pending.push_back(edge.to);
    }
  }
}

std::string block_name(const Cfg& cfg, BlockIndex block) {
  return block == cfg.exit() ? "exit" : "b" + std::to_string(to_index(block));
}

}  // namespace

std::vector<bool> find_leaders(const std::vector<Instruction>& code) {
  std::vector<bool> is_leader(code.size() + 1, false);
  is_leader[0] = true;
  for (size_t pc = 0; pc < code.size(); pc++) {
    const ControlFlow flow = opcode_info(code[pc].op).flow;
    if (flow == ControlFlow::Next) continue;
    is_leader[pc + 1] = true;
    if (may_jump(flow)) is_leader[pc + 1 + code[pc].imm] = true;
  }
  return is_leader;
}

Cfg Cfg::build(const Proto& proto) {
  Cfg cfg;
  const std::vector<Instruction>& code = proto.original_code;
  const std::vector<bool> is_leader = find_leaders(code);
  for (size_t pc = 0; pc < code.size(); pc++) {
    if (is_leader[pc]) cfg.blocks.push_back({.first_pc = static_cast<int32_t>(pc), .end_pc = 0});
    cfg.blocks.back().end_pc = static_cast<int32_t>(pc) + 1;
  }
  for (size_t i = 0; i < cfg.blocks.size(); i++) {
    add_edges(cfg, BlockIndex{static_cast<uint32_t>(i)}, code[cfg.blocks[i].end_pc - 1]);
  }
  mark_reachable(cfg);
  return cfg;
}

BlockIndex Cfg::block_at(int pc) const {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), pc,
                       [](int wanted, const BasicBlock& block) { return wanted < block.first_pc; });
  return BlockIndex{static_cast<uint32_t>(after - blocks.begin() - 1)};
}

std::string dump_cfg(const Proto& proto) {
  const Cfg cfg = Cfg::build(proto);
  std::string out = "cfg <" + (proto.source == nullptr ? "?" : chunk_id(proto.source->view())) + ":" +
                    std::to_string(proto.line_defined) + "> (" + std::to_string(cfg.blocks.size()) +
                    " blocks, " + std::to_string(cfg.edges.size()) + " edges)\n";
  for (size_t i = 0; i < cfg.blocks.size(); i++) {
    const BlockIndex index{static_cast<uint32_t>(i)};
    const BasicBlock& block = cfg.block(index);
    out.append(block_name(cfg, index)).append(block.is_reachable ? ":\n" : ": (unreachable)\n");
    for (int pc = block.first_pc; pc < block.end_pc; pc++) {
      out.append("  " + std::to_string(pc) + "  " + disassemble_instruction(proto, OriginalPc{pc}) + "\n");
    }
    for (const CfgEdge& edge : cfg.successors(index)) {
      static constexpr const char* kKindNames[] = {"fall through", "jump", "return"};
      out.append("  -> " + block_name(cfg, edge.to) + " (" + kKindNames[static_cast<int>(edge.kind)] + ")\n");
    }
  }
  return out;
}

}  // namespace mangata
