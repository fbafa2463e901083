// goto, labels and break (Lua 5.4 manual §3.3.4).
//
// A goto before its label is pending. When a block ends, its pending gotos move to the enclosing block; when
// they leave the scope of a captured variable, the label that resolves them begins with a Close.
#include <algorithm>

#include "vm/frontend/code_generator.h"
#include "vm/object/string.h"

namespace mangata {

void CodeGenerator::add_goto(String* name, int line, int pc) {
  int& last = compilation_.named_places[name].pending;
  compilation_.gotos.push_back({.name = name, .pc = pc, .line = line, .variable_count = active_count_, .previous = last});
  last = static_cast<int>(compilation_.gotos.size()) - 1;
}

Label* CodeGenerator::find_label(String* name) {
  const auto found = compilation_.named_places.find(name);
  if (found == compilation_.named_places.end() || found->second.label < first_label_) return nullptr;
  return &compilation_.labels[static_cast<size_t>(found->second.label)];
}

/// A label at the end of a block counts as outside the scope of the block's variables (manual §3.5: "void
/// statements").
bool CodeGenerator::create_label(String* name, int line, bool is_last_statement) {
  const int variable_count = is_last_statement ? block_->outer_variable_count : active_count_;
  int& last = compilation_.named_places[name].label;
  const Label label{.name = name, .pc = here(), .line = line, .variable_count = variable_count, .previous = last};
  last = static_cast<int>(compilation_.labels.size());
  compilation_.labels.push_back(label);
  return close_at(label);
}

bool CodeGenerator::create_break_label() {
  return close_at({.name = compilation_.break_name, .pc = here(), .line = 0, .variable_count = active_count_});
}

bool CodeGenerator::close_at(const Label& label) {
  if (!resolve_pending(label)) return false;
  emit(Opcode::Close, variable_registers());
  return true;
}

/// All but the first `count` go out of sight.
void CodeGenerator::remove_labels(int count) {
  std::vector<Label>& labels = compilation_.labels;
  for (; labels.size() > static_cast<size_t>(count); labels.pop_back())
    compilation_.named_places[labels.back().name].label = labels.back().previous;
}

/// Resolves the pending gotos of the current block to `label`; whether one of them must close variables.
bool CodeGenerator::resolve_pending(const Label& label) {
  std::vector<PendingGoto>& gotos = compilation_.gotos;
  if (gotos.size() == static_cast<size_t>(block_->first_goto)) return false;
  int& last = compilation_.named_places[label.name].pending;
  bool needs_close = false;
  int wrong = -1;
  for (; last >= block_->first_goto; last = gotos[static_cast<size_t>(last)].previous) {
    PendingGoto& pending = gotos[static_cast<size_t>(last)];
    if (pending.variable_count < label.variable_count) wrong = last;
    needs_close |= pending.needs_close;
    patch_jumps(pending.pc, label.pc);
    pending.name = nullptr;
  }
  if (wrong >= 0) jump_into_scope_error(label, gotos[static_cast<size_t>(wrong)]);
  while (gotos.size() > static_cast<size_t>(block_->first_goto) && gotos.back().name == nullptr) gotos.pop_back();
  return needs_close;
}

void CodeGenerator::jump_into_scope_error(const Label& label, const PendingGoto& pending) {
  const std::string variable_name(variable(pending.variable_count).name->view());
  compilation_.lexer.error("<goto " + std::string(label.name->view()) + "> at line " +
                           std::to_string(pending.line) + " jumps into the scope of local '" + variable_name +
                           "'");
}

/// At the end of `block`, whose variables are gone already.
void CodeGenerator::move_gotos_out(const Block& block) {
  std::vector<PendingGoto>& gotos = compilation_.gotos;
  if (block.parent == nullptr) {
    const auto first = gotos.begin() + block.first_goto;
    const auto undefined = std::find_if(first, gotos.end(), [](const PendingGoto& pending) { return pending.name != nullptr; });
    if (undefined != gotos.end()) undefined_goto_error(*undefined);
    remove_gotos(block.first_goto);
    return;
  }
  for (size_t i = block.first_goto; i < gotos.size(); i++) {
    PendingGoto& pending = gotos[i];
    if (pending.variable_count > block.outer_variable_count) pending.needs_close |= block.has_upvalue;
    pending.variable_count = block.outer_variable_count;
  }
}

/// All but the first `count`, resolved or not.
void CodeGenerator::remove_gotos(int count) {
  std::vector<PendingGoto>& gotos = compilation_.gotos;
  for (; gotos.size() > static_cast<size_t>(count); gotos.pop_back()) {
    if (gotos.back().name != nullptr) compilation_.named_places[gotos.back().name].pending = gotos.back().previous;
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
