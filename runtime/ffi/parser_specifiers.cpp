// Declaration specifiers (C99 §6.7.1-§6.7.3); see parser.h.
#include <array>
#include <utility>

#include "runtime/ffi/parser.h"

namespace mangata::ffi {
namespace {

/// The words that name arithmetic types, counted in a word of four bits each.
enum Word : uint64_t {
  kVoidWord = 1,
  kCharWord = 1 << 4,
  kShortWord = 1 << 8,
  kIntWord = 1 << 12,
  kLongWord = 1 << 16,
  kFloatWord = 1 << 20,
  kSignedWord = 1 << 24,
  kUnsignedWord = 1 << 28,
  kComplexWord = uint64_t{1} << 32,
  kFloat128Word = uint64_t{1} << 36,
};
/// Of fixed size, alone or with a sign.
constexpr uint64_t kInt64Word = 2 * kLongWord;
constexpr uint64_t kDoubleWord = 2 * kFloatWord, kBoolWord = 2 * kVoidWord;

constexpr std::pair<std::string_view, uint64_t> kWords[] = {
    {"void", kVoidWord}, {"char", kCharWord}, {"__int8", kCharWord}, {"short", kShortWord}, {"__int16", kShortWord}, {"int", kIntWord}, {"__int32", kIntWord}, {"long", kLongWord}, {"__int64", kInt64Word}, {"float", kFloatWord}, {"double", kDoubleWord}, {"_Bool", kBoolWord}, {"signed", kSignedWord}, {"__signed", kSignedWord}, {"__signed__", kSignedWord}, {"unsigned", kUnsignedWord}, {"__unsigned", kUnsignedWord}, {"__unsigned__", kUnsignedWord}, {"_Complex", kComplexWord}, {"complex", kComplexWord}, {"__complex", kComplexWord}, {"__complex__", kComplexWord}, {"_Float32", kFloatWord}, {"_Float32x", kDoubleWord}, {"_Float64", kDoubleWord}, {"_Float64x", kDoubleWord + kLongWord}, {"_Float128", kFloat128Word}, {"__float128", kFloat128Word}};

uint64_t word_of(const Token& token) {
  if (token.kind != TokenKind::Identifier) return 0;
  for (const auto& [name, word] : kWords) {
    if (token.text == name) return word;
  }
  return 0;
}

constexpr std::array<std::string_view, 8> kIgnored = {"inline", "__inline", "__inline__", "_Noreturn",
                                                      "__thread", "__extension__", "auto", "register"};
constexpr std::array<std::string_view, 3> kConstWords = {"const", "__const", "__const__"};
constexpr std::array<std::string_view, 3> kVolatileWords = {"volatile", "__volatile", "__volatile__"};
constexpr std::array<std::string_view, 3> kRestrictWords = {"restrict", "__restrict", "__restrict__"};

template <size_t n>
bool is_one_of(const Token& token, const std::array<std::string_view, n>& words) {
  if (token.kind != TokenKind::Identifier) return false;
  for (const std::string_view word : words) {
    if (token.text == word) return true;
  }
  return false;
}

}  // namespace

bool Parser::starts_type() const {
  if (token_.kind == TokenKind::Parameter) {
    return parameters_taken_ < parameters_.size() &&
           parameters_[parameters_taken_].kind == TypeParameter::Kind::Type;
  }
  if (token_.kind != TokenKind::Identifier) return false;
  return word_of(token_) != 0 || is_one_of(token_, kConstWords) || is_one_of(token_, kVolatileWords) ||
         token_.is("struct") || token_.is("union") || token_.is("enum") ||
         names_.find_typedef(token_.text) != nullptr;
}

Result<bool> Parser::qualifier_word(uint8_t* qualifiers) {
  if (is_one_of(token_, kConstWords)) {
    *qualifiers |= kConst;
  } else if (is_one_of(token_, kVolatileWords)) {
    *qualifiers |= kVolatile;
  } else if (!is_one_of(token_, kRestrictWords)) {
    return false;
  }
  TRY(advance());
  return true;
}

Result<bool> Parser::storage_word(Specifiers* found) {
  if (token_.is("typedef")) {
    found->storage = Storage::Typedef;
  } else if (token_.is("extern")) {
    found->storage = Storage::Extern;
  } else if (token_.is("static")) {
    found->storage = Storage::Static;
  } else if (!is_one_of(token_, kIgnored)) {
    return false;
  }
  TRY(advance());
  return true;
}

Result<bool> Parser::type_word(uint64_t* words) {
  const uint64_t word = word_of(token_);
  if (word == 0) return false;
  // A digit of the sum must not carry into the next one.
  for (uint64_t mask = 15; mask != 0; mask <<= 4) {
    if ((*words & mask) != 0 && (word & mask) != 0 && (word & mask) != kLongWord)
      return fail_near("invalid combination of type specifiers");
  }
  if (word == kLongWord && (*words & 15 * kLongWord) >= kInt64Word)
    return fail_near("invalid combination of type specifiers");
  *words += word;
  TRY(advance());
  return true;
}

Result<TypeId> Parser::type_of_words(uint64_t words) {
  using namespace builtin;
  switch (words) {
    case kVoidWord:
      return kVoid;
    case kBoolWord:
      return kBool;
    case kFloatWord:
      return kFloat;
    case kDoubleWord:
      return kDouble;
    case kDoubleWord + kLongWord:
      return kLongDouble;
    case kComplexWord + kFloatWord:
      return kComplexFloat;
    case kComplexWord:
    case kComplexWord + kDoubleWord:
      return kComplexDouble;
    case kComplexWord + kDoubleWord + kLongWord:
      return kComplexLongDouble;
    case kFloat128Word:
      return kFloat128;
    case kComplexWord + kFloat128Word:
      return kComplexFloat128;
    default:
      break;
  }
  const bool is_unsigned = (words & kUnsignedWord) != 0;
  const uint64_t sign = words & (kUnsignedWord | kSignedWord);
  const uint64_t rest = words & ~(kUnsignedWord | kSignedWord);
  const auto with_sign = [&](TypeId of) { return static_cast<TypeId>(index_of(of) + (is_unsigned ? 1 : 0)); };
  if (sign != (kUnsignedWord | kSignedWord)) {
    switch (rest) {
      case kCharWord:
        return with_sign(kInt8);
      case kShortWord:
      case kShortWord + kIntWord:
        return with_sign(kInt16);
      case 0:
      case kIntWord:
        return with_sign(kInt32);
      case kLongWord:
      case kLongWord + kIntWord:
      case kInt64Word:
      case kInt64Word + kIntWord:
        return with_sign(kInt64);
      default:
        break;
    }
  }
  return fail_near("invalid combination of type specifiers");
}

Result<Parser::Specifiers> Parser::specifiers() {
  Specifiers found;
  uint64_t words = 0;
  bool has_type = false;
  for (;;) {
    TRY(attributes(&found.attributes));
    if (TRY(storage_word(&found)) || TRY(qualifier_word(&found.qualifiers))) continue;
    if (has_type) break;
    if (TRY(type_word(&words))) continue;
    if (words != 0) break;
    if (token_.is("struct") || token_.is("union")) {
      const bool is_union = token_.is("union");
      TRY(advance());
      found.type = TRY(record(is_union, &found.declares_tag));
    } else if (token_.is("enum")) {
      TRY(advance());
      found.type = TRY(enumeration(&found.declares_tag));
    } else if (token_.kind == TokenKind::Parameter && starts_type()) {
      found.type = TRY(take_parameter())
      ->type;
    } else if (const Declaration* named =
                   token_.kind == TokenKind::Identifier ? names_.find_typedef(token_.text) : nullptr;
               named != nullptr) {
      found.type = named->type;
      TRY(advance());
    } else {
      break;
    }
    has_type = true;
  }
  if (words != 0) {
    found.type = TRY(type_of_words(words));
  } else if (!has_type) {
    if (token_.kind == TokenKind::Parameter && parameters_taken_ == parameters_.size())
      return fail("wrong number of type parameters");
    return fail_expected("declaration specifier");
  }
  found.type = types_.qualified(found.type, found.qualifiers);
  return found;
}

}  // namespace mangata::ffi
