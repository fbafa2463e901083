// goto, labels and break (Lua 5.4 manual §3.3.4).
//
// A goto before its label is pending. When a block ends, its pending gotos move to the enclosing block; when
// they leave the scope of a captured variable, the label that resolves them begins with a Close.
#include "vm/frontend/code_generator.h"
#include "vm/object/string.h"

namespace mangata {

void CodeGenerator::add_goto(String* name, int line, int pc) {
  compilation_.gotos.push_back({.name = name, .pc = pc, .line = line, .variable_count = active_count_});
}

Label* CodeGenerator::find_label(String* name) {
  for (size_t i = first_label_; i < compilation_.labels.size(); i++) {
    if (compilation_.labels[i].name == name) return &compilation_.labels[i];
  }
  return nullptr;
}

/// A label at the end of a block counts as outside the scope of the block's variables (manual §3.5: "void
/// statements").
bool CodeGenerator::create_label(String* name, int line, bool is_last_statement) {
  const int variable_count = is_last_statement ? block_->outer_variable_count : active_count_;
  const Label label{.name = name, .pc = here(), .line = line, .variable_count = variable_count};
  compilation_.labels.push_back(label);
  if (!resolve_pending(label)) return false;
  emit(Opcode::Close, variable_registers());
  return true;
}

/// Resolves the pending gotos of the current block to `label`; whether one of them must close variables.
bool CodeGenerator::resolve_pending(const Label& label) {
  std::vector<PendingGoto>& gotos = compilation_.gotos;
  bool needs_close = false;
  size_t kept = block_->first_goto;
  for (size_t i = kept; i < gotos.size(); i++) {
    const PendingGoto pending = gotos[i];
    if (pending.name != label.name) {
      gotos[kept++] = pending;
      continue;
    }
    if (pending.variable_count < label.variable_count) jump_into_scope_error(pending);
    needs_close |= pending.needs_close;
    patch_jumps(pending.pc, label.pc);
  }
  gotos.resize(kept);
  return needs_close;
}

void CodeGenerator::jump_into_scope_error(const PendingGoto& pending) {
  const std::string variable_name(variable(pending.variable_count).name->view());
  compilation_.lexer.error("<goto " + std::string(pending.name->view()) + "> at line " +
                           std::to_string(pending.line) + " jumps into the scope of local '" + variable_name +
                           "'");
}

/// At the end of `block`, whose variables are gone already.
void CodeGenerator::move_gotos_out(const Block& block) {
  std::vector<PendingGoto>& gotos = compilation_.gotos;
  if (block.parent == nullptr) {
    if (gotos.size() > static_cast<size_t>(block.first_goto)) undefined_goto_error(gotos[block.first_goto]);
    gotos.resize(block.first_goto);
    return;
  }
  for (size_t i = block.first_goto; i < gotos.size(); i++) {
    PendingGoto& pending = gotos[i];
    if (pending.variable_count > block.outer_variable_count) pending.needs_close |= block.has_upvalue;
    pending.variable_count = block.outer_variable_count;
  }
}

void CodeGenerator::undefined_goto_error(const PendingGoto& pending) {
  const std::string line = std::to_string(pending.line);
  if (pending.name == compilation_.break_name) {
    compilation_.lexer.error("break outside loop at line " + line);
  } else {
    compilation_.lexer.error("no visible label '" + std::string(pending.name->view()) +
                             "' for <goto> at line " + line);
  }
}

}  // namespace mangata
