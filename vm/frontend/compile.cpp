// The front end's two entry points.
#include "vm/frontend/compile.h"

#include <new>

#include "vm/bytecode/proto_lifecycle.h"
#include "vm/frontend/parser.h"
#include "vm/frontend/scope.h"
#include "vm/operations/operations.h"

namespace mangata {

namespace {

/// @param[out] needs_registers  that was the error, and with `saves_registers` there may be none
Result<Proto*> compile_once(Vm& vm, std::string_view text, std::string_view chunk_name, bool saves_registers,
                            bool notes_positions, bool* needs_registers) {
  Compilation compilation(vm, text, chunk_name);
  compilation.saves_registers = saves_registers;
  if (notes_positions) {
    compilation.positions = std::make_unique<SourcePositions>(text);
    compilation.lexer.note_positions();
  }
  compilation.source = TRY(vm.new_string(chunk_name));
  Parser parser(compilation);
  const uint32_t depth = vm.current->native_depth;
  Proto* proto = nullptr;
  try {
    proto = parser.parse_chunk();
  } catch (const std::bad_alloc&) {
    vm.current->native_depth = depth;
    return raise_out_of_memory(vm);
  }
  vm.current->native_depth = depth;
  *needs_registers = compilation.needs_registers;
  if (compilation.lexer.failed()) return Raised{};
  if (notes_positions) compilation.positions->finish();
  TRY(announce_proto(vm, *proto));
  return proto;
}

}  // namespace

Result<Proto*> compile(Vm& vm, std::string_view text, std::string_view chunk_name) {
  bool needs_registers = false;
  const bool notes_positions = vm.hooks != nullptr && vm.hooks->text_compiling(text, chunk_name);
  Result<Proto*> proto = compile_once(vm, text, chunk_name, false, notes_positions, &needs_registers);
  if (proto.ok() || !needs_registers) return proto;
  vm.error = Value::nil();
  return compile_once(vm, text, chunk_name, true, notes_positions, &needs_registers);
}

/// One line per token: where it is, its kind, its text.
Result<void> dump_tokens(Vm& vm, std::string_view text, std::string_view chunk_name, std::string& out) {
  Lexer lexer(vm, text, chunk_name);
  do {
    lexer.advance();
    if (lexer.failed()) return Raised{};
    out.append(std::to_string(lexer.line())).append("\t").append(token_kind_name(lexer.kind()));
    if (!lexer.token().text.empty()) out.append("\t").append(lexer.token().text);
    out.push_back('\n');
  } while (lexer.kind() != TokenKind::EndOfText);
  return {};
}

}  // namespace mangata
