// Sorting. [DESIGN] The order of equal elements is visible to programs, so where elements can be equal
// without being identical we make the same comparisons and swaps as PUC Lua 5.4: quicksort with the median of
// the first, the middle and the last element as pivot, the smaller part by recursion. Lists of integers, of
// plain floats and of strings have no such elements, and go through std::sort
// (polled_sort.h).
//
// A comparison may run Lua code that changes the list, so the three elements in hand are kept on the VM
// stack.
#include "runtime/lib/table_sort.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "runtime/lib/polled_sort.h"
#include "runtime/lib/table_access.h"
#include "vm/operations/protected_call.h"
#include "vm/poll.h"

namespace mangata {

namespace {

/// Parts longer than this that turned out lopsided get their next pivots from a scattered position.
constexpr uint32_t kScatterSize = 100;

class Sorter {
 public:
  explicit Sorter(Call& call)
      : call_(call),
        vm_(call.vm()),
        hand_(call.base() + 2),
        compares_(!call[1].is_nil()),
        comparator_(vm_, call.thread(), call[1]) {
    call.set_count(2 + kHandCount);
  }
  ~Sorter() { charge_if_much(vm_, kNativePollPeriod - work_left_); }

  /// Sorts [low, high]. `scatter`: 0, or what scatters the pivots.
  Status sort(uint32_t low, uint32_t high, uint32_t scatter) {
    while (low < high) {
      TRY(order_ends(low, high));
      if (high - low == 1) return {};
      const uint32_t middle = choose_pivot(low, high, scatter);
      TRY(order_middle(low, middle, high));
      if (high - low == 2) return {};
      TRY(load(kPivot, middle));
      TRY(load(kRight, high - 1));
      TRY(store(middle, kRight));
      TRY(store(high - 1, kPivot));
      const uint32_t split = TRY(partition(low, high));
      uint32_t smaller_size;
      if (split - low < high - split) {
        TRY(sort(low, split - 1, scatter));
        smaller_size = split - low;
        low = split + 1;
      } else {
        TRY(sort(split + 1, high, scatter));
        smaller_size = high - split;
        high = split - 1;
      }
      if ((high - low) / 128 > smaller_size) scatter = (scatter + high) * 2654435761u | 1;
    }
    return {};
  }

 private:
  enum Hand {
    kPivot,
    kLeft,
    kRight,
    kHandCount
  };

  Status load(Hand hand, uint32_t i) {
    hand_[hand] = TRY(get_at(vm_, call_[0], i));
    return {};
  }
  Status store(uint32_t i, Hand hand) { return set_at(vm_, call_[0], i, hand_[hand]); }

  Result<bool> less(Hand a, Hand b) {
    if (!compares_) return less_than(vm_, hand_[a], hand_[b]);
    return TRY(comparator_.call_with(hand_[a], hand_[b]))
    .is_truthy();
  }

  static uint32_t choose_pivot(uint32_t low, uint32_t high, uint32_t scatter) {
    if (high - low < kScatterSize || scatter == 0) return low + (high - low) / 2;
    const uint32_t quarter = (high - low) / 4;
    return scatter % (quarter * 2) + low + quarter;
  }

  Status order_ends(uint32_t low, uint32_t high) {
    TRY(load(kLeft, low));
    TRY(load(kRight, high));
    if (!TRY(less(kRight, kLeft))) return {};
    TRY(store(low, kRight));
    return store(high, kLeft);
  }

  Status order_middle(uint32_t low, uint32_t middle, uint32_t high) {
    TRY(load(kPivot, middle));
    TRY(load(kLeft, low));
    if (TRY(less(kPivot, kLeft))) {
      TRY(store(middle, kLeft));
      return store(low, kPivot);
    }
    TRY(load(kRight, high));
    if (!TRY(less(kRight, kPivot))) return {};
    TRY(store(middle, kRight));
    return store(high, kPivot);
  }

  /// The pivot is in hand and at high-1. Moves what is less than it to the left, what is greater to the
  /// right; returns where it ends up.
  Result<uint32_t> partition(uint32_t low, uint32_t high) {
    uint32_t i = low;
    uint32_t j = high - 1;
    int64_t begun_at_left = low, begun_at_right = j;
    for (;;) {
      begun_at_left = i;
      for (;;) {
        TRY(load(kLeft, ++i));
        if (!TRY(less(kLeft, kPivot))) break;
        if (i == high - 1) return invalid_order();
      }
      TRY(work(static_cast<int64_t>(i) - begun_at_left));
      begun_at_right = j;
      for (;;) {
        TRY(load(kRight, --j));
        if (!TRY(less(kPivot, kRight))) break;
        if (j < i) return invalid_order();
      }
      TRY(work(begun_at_right - j));
      if (j < i) {
        TRY(store(high - 1, kLeft));
        TRY(store(i, kPivot));
        return i;
      }
      TRY(store(i, kRight));
      TRY(store(j, kLeft));
    }
  }

  /// Comparisons that may have run no code.
  Status work(int64_t comparisons) {
    work_left_ -= comparisons;
    if (work_left_ >= 0) return {};
    const int64_t done = kNativePollPeriod - work_left_;
    work_left_ = kNativePollPeriod;
    return poll_native(vm_, done);
  }

  Raised invalid_order() { return call_.error("invalid order function for sorting"); }

  Call& call_;
  Vm& vm_;
  Value* const hand_;
  const bool compares_;
  LuaCallee comparator_;
  int64_t work_left_ = kNativePollPeriod;
};

struct LessBytes {
  Vm& vm;
  bool operator()(const Value& a, const Value& b) const {
    const std::string_view x = a.as_string()->view(), y = b.as_string()->view();
    charge_native(vm, 1 + static_cast<int64_t>(std::min(x.size(), y.size()) >> 4));
    return x < y;
  }
};

template <typename Element, typename Less = std::less<>>
Result<bool> sort_elements(Vm& vm, Element* elements, uint32_t size, Less less = {}) {
  constexpr int64_t kLeastWorkOfElement = 4;  // where parts are so small that nothing is polled
  charge_native(vm, size * kLeastWorkOfElement);
  PolledSort<Element, Less> sorter(vm, less);
  TRY(sorter.sort(elements, elements + size));
  return true;
}

/// Sorts lists in which equal elements are identical. False when the list is not one.
Result<bool> sort_uniform(Vm& vm, Table* table, uint32_t size) {
  switch (table->element_kind()) {
    case ElementKind::Integer:
      return sort_elements(vm, table->integers(), size);
    case ElementKind::Float: {
      double* floats = table->floats();
      const auto is_awkward = [](double d) { return std::isnan(d) || (d == 0 && std::signbit(d)); };
      if (std::any_of(floats, floats + size, is_awkward)) return false;
      return sort_elements(vm, floats, size);
    }
    case ElementKind::Any: {
      Value* values = table->values();
      if (!std::all_of(values, values + size, [](const Value& v) { return v.is_string(); })) return false;
      return sort_elements(vm, values, size, LessBytes{vm});
    }
    default:
      return false;
  }
}

}  // namespace

Status sort_list(Call& call, uint32_t size) {
  Table* table = raw_table(call[0]);
  if (table != nullptr && call[1].is_nil() && size == table->array_size() &&
      TRY(sort_uniform(call.vm(), table, size)))
    return {};
  return Sorter(call).sort(1, size, 0);
}

}  // namespace mangata
