// Concatenation and length (Lua 5.4 manual §3.4.6, §3.4.7).
//
// `a .. b .. c` is right associative, but runs of strings and numbers are joined in one go. Intermediate
// results, also those of __concat, replace operands in their stack slots, so that they stay rooted.
#include "vm/object/short_bytes.h"
#include "vm/operations/debug_names.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

bool is_concatenable(const Value& value) { return value.is_string() || value.is_number(); }

/// The texts of one run of strings and numbers, from right to left. Not initialised: making a Run must cost nothing.
struct Run {
  static constexpr int kMaxPieces = 256;  // a frame has at most 255 registers
  static constexpr int kMaxNumbers = 8;
  struct Piece {
    const char* data;
    size_t length;
  };
  Piece pieces[kMaxPieces];
  char number_texts[kMaxNumbers][64];
};

void copy_pieces(const Run& run, int count, char* out) {
  for (int i = count - 1; i >= 0; --i) {
    copy_bytes(out, run.pieces[i].data, run.pieces[i].length);
    out += run.pieces[i].length;
  }
}

/// Joins as many operands as are strings or numbers, from `last` leftwards to `first`; returns how many.
Result<int> join_run(Vm& vm, Value* first, Value* last) {
  Run run;
  int piece_count = 0, number_count = 0, non_empty_count = 0;
  size_t length = 0;
  Value* target = last;
  const Value* non_empty = nullptr;  // some operand that is not the empty string
  for (Value* operand = last; operand >= first && piece_count < Run::kMaxPieces; --operand) {
    Run::Piece& piece = run.pieces[piece_count];
    if (operand->is_number() && number_count < Run::kMaxNumbers) {
      char* buffer = run.number_texts[number_count++];
      piece = {buffer, static_cast<size_t>(format_number(*operand, buffer))};
      charge_number_text(vm, *operand);
    } else {
      if (operand->is_number()) {
        *operand = Value::string(TRY(to_string_coercion(vm, *operand)));
      } else if (!operand->is_string()) {
        break;
      }
      piece = {operand->as_string()->data, operand->as_string()->length};
    }
    ++piece_count;
    target = operand;
    length += piece.length;
    if (piece.length != 0) {
      ++non_empty_count;
      non_empty = operand;
    }
  }
  if (non_empty_count <= 1 && (non_empty == nullptr || non_empty->is_string())) {
    *target = non_empty == nullptr ? Value::string(vm.empty_string) : *non_empty;
  } else if (length <= String::kMaxShortLength) {
    char text[String::kMaxShortLength];
    copy_pieces(run, piece_count, text);
    *target = Value::string(vm.strings.intern({text, length}));
  } else {
    if (length > kMaxSmallBytes) TRY(vm.heap.ensure_headroom(length));
    String* result = TRY(vm.new_long_string(length));
    copy_pieces(run, piece_count, result->data);
    *target = Value::string(result);
  }
  charge_if_much(vm, piece_count);
  return piece_count;
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
