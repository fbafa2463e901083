// Concatenation and length (Lua 5.4 manual §3.4.6, §3.4.7).
//
// `a .. b .. c` is right associative, but runs of strings and numbers are joined in one go. Intermediate
// results, also those of __concat, replace operands in their stack slots, so that they stay rooted.
#include <cstring>

#include "vm/operations/debug_names.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

bool is_concatenable(const Value& value) { return value.is_string() || value.is_number(); }

/// The pieces of one run of strings and numbers, with the texts of the first few numbers.
struct Run {
  static constexpr int kMaxPieces = 256;  // a frame has at most 255 registers
  static constexpr int kMaxNumbers = 8;
  struct Piece {  // not a string_view: a Run is made for each operator, and initialising all would cost more than joining two
    const char* data;
    size_t length;
  };
  Piece pieces[kMaxPieces];
  char number_texts[kMaxNumbers][64];
  int piece_count = 0;
  int number_count = 0;
  size_t length = 0;
  int non_empty_count = 0;
  const Value* non_empty = nullptr;  ///< some operand that is not the empty string
};

/// Adds an operand on the left. A number beyond the first few becomes a string in its slot.
Status add_piece(Vm& vm, Run& run, Value* operand) {
  std::string_view text;
  if (operand->is_number() && run.number_count < Run::kMaxNumbers) {
    char* buffer = run.number_texts[run.number_count++];
    text = {buffer, static_cast<size_t>(format_number(*operand, buffer))};
  } else {
    if (operand->is_number()) *operand = Value::string(TRY(to_string_coercion(vm, *operand)));
    text = operand->as_string()->view();
  }
  run.pieces[run.piece_count++] = {text.data(), text.size()};
  run.length += text.size();
  if (!text.empty()) {
    run.non_empty_count++;
    run.non_empty = operand;
  }
  return {};
}

void copy_pieces(const Run& run, char* out) {
  for (int i = run.piece_count - 1; i >= 0; --i) {  // they were collected from right to left
    std::memcpy(out, run.pieces[i].data, run.pieces[i].length);
    out += run.pieces[i].length;
  }
}

/// Joins as many operands as are strings or numbers, from `last` leftwards to `first`; returns how many.
Result<int> join_run(Vm& vm, Value* first, Value* last) {
  Run run;
  Value* operand = last;
  for (; operand >= first && is_concatenable(*operand) && run.piece_count < Run::kMaxPieces; --operand) {
    TRY(add_piece(vm, run, operand));
  }
  Value* target = operand + 1;
  if (run.non_empty_count <= 1 && (run.non_empty == nullptr || run.non_empty->is_string())) {
    *target = run.non_empty == nullptr ? Value::string(vm.empty_string) : *run.non_empty;
  } else if (run.length <= String::kMaxShortLength) {
    char text[String::kMaxShortLength];
    copy_pieces(run, text);
    *target = Value::string(vm.strings.intern({text, run.length}));
  } else {
    if (run.length > kMaxSmallBytes) TRY(vm.heap.ensure_headroom(run.length));
    String* result = TRY(vm.new_long_string(run.length));
    copy_pieces(run, result->data);
    *target = Value::string(result);
  }
  return run.piece_count;
}

}  // namespace

Status concat(Vm& vm, Value* first, int count) {
  while (count > 1) {
    Value* right = first + count - 1;
    Value* left = right - 1;
    if (is_concatenable(*left) && is_concatenable(*right)) {
      count -= TRY(join_run(vm, first, right))
      -1;
      continue;
    }
    Value method = vm.metamethod(*left, Metamethod::Concat);
    if (method.is_nil()) method = vm.metamethod(*right, Metamethod::Concat);
    if (method.is_nil()) {
      return raise_slot_type_error(vm, is_concatenable(*left) ? right : left, "concatenate");
    }
    *left = TRY(call_metamethod(vm, method, *left, *right));
    --count;
  }
  return {};
}

Result<Value> length(Vm& vm, Value object) {
  if (object.is_string()) return Value::integer(static_cast<int64_t>(object.as_string()->length));
  const Value method = vm.metamethod(object, Metamethod::Length);
  if (!method.is_nil()) return call_metamethod(vm, method, object, object);
  if (object.is_table()) return Value::integer(table_length(object.as_table()));
  return raise_type_error(vm, object, "get length of");
}

}  // namespace mangata
