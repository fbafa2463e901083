// Tokens, errors and declarations; see parser.h.
#include "runtime/ffi/parser.h"

namespace mangata::ffi {

Parser::Parser(Types& types, Names& names, std::string_view source, std::span<const TypeParameter> parameters)
    : types_(types), names_(names), lexer_(source), parameters_(parameters) {}

Status Parser::advance() {
  token_ = std::move(next_);
  if (!lexer_.next(&next_)) {
    token_ = next_;
    return fail_near(lexer_.problem());
  }
  return {};
}

Result<bool> Parser::accept(std::string_view symbol) {
  if (!token_.is(symbol)) return false;
  TRY(advance());
  return true;
}

Status Parser::expect(std::string_view symbol) {
  if (!TRY(accept(symbol))) return fail_expected("'" + std::string(symbol) + "'");
  return {};
}

Raised Parser::fail(const std::string& problem) {
  if (!problem_.empty()) return {};
  problem_ = problem;
  if (token_.line > 1) problem_ += " at line " + std::to_string(token_.line);
  for (auto name = declared_.rbegin(); name != declared_.rend(); ++name) {
    if (name->empty()) continue;
    problem_ += " in the declaration of '" + *name + "'";
    break;
  }
  return {};
}

Raised Parser::fail_near(const std::string& problem) {
  constexpr size_t kMostCharacters = 40;
  std::string text(token_.kind == TokenKind::End ? "<eof>" : token_.text);
  if (text.size() > kMostCharacters) text = text.substr(0, kMostCharacters) + "...";
  return fail(problem + " near '" + text + "'");
}

Raised Parser::fail_expected(const std::string& what) { return fail_near(what + " expected"); }

Status Parser::finish() {
  if (parameters_taken_ != parameters_.size()) return fail("wrong number of type parameters");
  return {};
}

Result<const TypeParameter*> Parser::take_parameter() {
  if (parameters_taken_ == parameters_.size()) return fail("wrong number of type parameters");
  TRY(advance());
  return &parameters_[parameters_taken_++];
}

Status Parser::declarations() {
  TRY(advance());
  TRY(advance());
  while (token_.kind != TokenKind::End) {
    if (TRY(accept(";"))) continue;
    TRY(declaration());
  }
  return finish();
}

Result<TypeId> Parser::type() {
  allows_new_tags_ = false;
  TRY(advance());
  TRY(advance());
  const TypeId found = TRY(type_name());
  if (token_.kind != TokenKind::End) return fail_expected("'<eof>'");
  TRY(finish());
  return found;
}

Status Parser::declaration() {
  declared_.assign(1, {});
  const Specifiers found = TRY(specifiers());
  while (!token_.is(";")) {
    Declarator declared;
    TRY(declarator(Naming::Required, &declared));
    const TypeId type = TRY(apply(found, declared));
    TRY(declare(found, declared, type));
    if (types_[type].kind == TypeKind::Function && token_.is("{")) return skip_body();
    if (!TRY(accept(","))) break;
    declared_.assign(1, {});
  }
  // The last declaration of a source may lack its end.
  if (token_.kind != TokenKind::End) TRY(expect(";"));
  declared_.clear();
  return {};
}

/// Headers have functions that are inline.
Status Parser::skip_body() {
  int depth = 0;
  do {
    if (token_.kind == TokenKind::End) return fail_expected("'}'");
    if (token_.is("{")) ++depth;
    if (token_.is("}")) --depth;
    TRY(advance());
  } while (depth > 0);
  declared_.clear();
  return {};
}

Status Parser::declare(const Specifiers& specifiers, Declarator& declarator, TypeId type) {
  Declaration declaration{
      .kind = Declaration::Kind::Extern, .type = type, .symbol = std::move(declarator.symbol)};
  if (specifiers.storage == Storage::Typedef) declaration.kind = Declaration::Kind::Typedef;
  if (specifiers.storage == Storage::Static && types_[type].kind == TypeKind::Function)
    return {};  // no library has it
  if (specifiers.storage == Storage::Static) {
    declaration.kind = Declaration::Kind::Constant;
    declaration.value = TRY(initializer(type));
  }
  if (!names_.declare(types_, declarator.name, std::move(declaration)))
    return fail("attempt to redefine '" + declarator.name + "'");
  return {};
}

}  // namespace mangata::ffi
