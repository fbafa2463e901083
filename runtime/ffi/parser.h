// A parser of C declarations (C99 §6.7, with extensions of GCC), by recursive descent.
//
// [DESIGN] Functions return a Result as all code that can raise does; here an empty one means that problem()
// has a text. The text says what was expected near which token, in which line, in the declaration of what. A
// declarator is read into a list of parts, which are applied to the type of the specifiers in the order of C:
// pointers first, then what stands to the right of the name, from right to left, then the parts in
// parentheses. Nesting is limited, so text from anywhere cannot exhaust the stack.
//
// parser.cpp: declarations; parser_specifiers.cpp; parser_records.cpp: struct, union, enum;
// parser_declarators.cpp; parser_attributes.cpp; parser_constants.cpp: constant expressions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/ffi/layout.h"
#include "runtime/ffi/lexer.h"
#include "runtime/ffi/names.h"
#include "vm/error.h"

namespace mangata::ffi {

/// What stands for a $ in the source.
struct TypeParameter {
  enum class Kind : uint8_t {
    Type,
    Name,
    Number
  };
  Kind kind = Kind::Type;
  TypeId type{};
  std::string name;  ///< Kind::Name
  int64_t number = 0;  ///< Kind::Number
};

class Parser {
 public:
  /// All must outlive it. Each $ of the source takes the next of the parameters.
  Parser(Types& types, Names& names, std::string_view source, std::span<const TypeParameter> parameters = {});

  /// Reads declarations up to the end of the source into the names. Those before an error stay.
  Status declarations();
  /// Reads one type, without a name.
  Result<TypeId> type();
  const std::string& problem() const { return problem_; }

 private:
  struct Attributes {
    bool is_packed = false;
    uint32_t align = 0;
    uint64_t mode_bytes = 0;    // of __attribute__((mode)); 0: none
    uint64_t vector_bytes = 0;  // of __attribute__((vector_size)); 0: none
  };
  enum class Storage : uint8_t {
    None,
    Typedef,
    Extern,
    Static
  };
  struct Specifiers {
    TypeId type{};
    Storage storage = Storage::None;
    uint8_t qualifiers = 0;
    bool declares_tag = false;  // has a struct, union or enum in it
    Attributes attributes;
  };
  struct Part {
    enum class Kind : uint8_t {
      Pointer,
      Reference,
      Array,
      Function
    };
    Kind kind = Kind::Pointer;
    uint8_t qualifiers = 0;
    uint64_t count = 0;
    std::vector<TypeId> parameters = {};
    bool is_variadic = false;
  };
  enum class Naming : uint8_t {
    Required,
    Allowed,
    Forbidden
  };
  struct Declarator {
    std::string name;
    std::string symbol;
    std::vector<Part> parts;  // in the order in which they are applied
    Attributes attributes;
  };
  struct Constant {
    int64_t value = 0;
    bool is_unsigned = false;
    bool is_long = false;  // 64 bits
  };
  class Nesting;

  // --- parser.cpp
  Status advance();
  Result<bool> accept(std::string_view symbol);
  Status expect(std::string_view symbol);
  Raised fail(const std::string& problem);
  Raised fail_near(const std::string& problem);
  Raised fail_expected(const std::string& what);
  Status finish();
  Status declaration();
  Status skip_body();
  Status declare(const Specifiers& specifiers, Declarator& declarator, TypeId type);
  Result<const TypeParameter*> take_parameter();

  // --- parser_specifiers.cpp
  Result<Specifiers> specifiers();
  Result<bool> storage_word(Specifiers* found);
  Result<bool> type_word(uint64_t* words);
  Result<TypeId> type_of_words(uint64_t words);
  Result<bool> qualifier_word(uint8_t* qualifiers);
  bool starts_type() const;

  // --- parser_records.cpp
  /// The head of a specifier, as far as '{': a type by its tag, which is declared if need be, or, *is_given, the one that a
  /// parameter stands for.
  Result<TypeId> tagged(TypeKind kind, bool is_union, Attributes* found, std::string* tag, bool* is_given);
  Result<TypeId> record(bool is_union, bool* defines);
  Status members(std::vector<MemberDeclaration>* found, std::vector<MemberConstant>* constants, bool is_packed);
  Status member_constants(const Specifiers& specifiers, std::vector<MemberConstant>* found);
  Status member_declarators(const Specifiers& specifiers, std::vector<MemberDeclaration>* found,
                            bool is_packed);
  Status check_bit_field(const MemberDeclaration& member, int64_t width);
  Result<TypeId> enumeration(bool* defines);
  Status enumerators(TypeId id, Attributes* found);

  // --- parser_declarators.cpp
  Status declarator(Naming naming, Declarator* found);
  Status pointers(std::vector<Part>* parts);
  Status suffixes(std::vector<Part>* parts);
  Status array_suffix(Part* part);
  Status function_suffix(Part* part);
  bool starts_nested_declarator(Naming naming) const;
  Result<TypeId> apply(const Specifiers& specifiers, const Declarator& declarator);
  Result<TypeId> apply(TypeId type, const Part& part);
  Result<TypeId> type_name();

  // --- parser_attributes.cpp
  Status attributes(Attributes* found);
  Status attribute(Attributes* found);
  Status skip_parentheses();
  Status assembler_name(std::string* symbol);
  Result<TypeId> with_attributes(TypeId type, const Attributes& attributes);

  // --- parser_constants.cpp
  Result<Constant> constant();
  Result<Constant> binary(int least_precedence);
  Result<Constant> unary();
  Result<Constant> primary();
  Result<Constant> size_or_align(bool is_size);
  /// "= value" behind a static variable of the type, which has to be a constant integer.
  Result<int64_t> initializer(TypeId type);
  Result<Constant> operate(std::string_view symbol, Constant a, Constant b);

  Types& types_;
  Names& names_;
  Lexer lexer_;
  std::span<const TypeParameter> parameters_;
  size_t parameters_taken_ = 0;
  Token token_, next_;
  bool allows_new_tags_ = true;
  int nesting_ = 0;
  int parameter_lists_ = 0;            // that are being read
  std::vector<std::string> declared_;  // names of the declarations that are being read, innermost last
  std::string problem_;
};

/// Counts a level of nesting while it lives; false when there are too many.
class Parser::Nesting {
 public:
  /// One level more.
  explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
  ~Nesting() { --parser_.nesting_; }
  bool is_too_deep() const { return parser_.nesting_ > 100; }

 private:
  Parser& parser_;
};

}  // namespace mangata::ffi
