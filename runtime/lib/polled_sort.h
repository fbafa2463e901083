// std::sort with polls: for long lists of elements that compare without running code.
//
// [DESIGN] Quicksort down to parts of kPollSize elements, which std::sort does in about a millisecond; above that, partitioning looks
// for interrupts every kPollSize steps. Pivots are taken at scattered positions, so no list is known to be slow, and one that is
// can be stopped all the same. Where equal elements are identical, it does not matter which one goes where.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "vm/poll.h"
#include "vm/random_sequence.h"

namespace mangata {

template <typename Element, typename Less>
class PolledSort {
 public:
  static constexpr ptrdiff_t kPollSize = kNativePollPeriod;  ///< elements that are sorted without a poll

  PolledSort(Vm& vm, Less less) : vm_(vm), less_(less) {}

  /// Sorts [first, last). Raises what a poll raises: then the elements are in some order.
  Status sort(Element* first, Element* last) {
    while (last - first > kPollSize) {
      Element* const split = TRY(partition(first, last));
      if (split - first < last - split) {
        TRY(sort(first, split));
        first = split;
      } else {
        TRY(sort(split, last));
        last = split;
      }
    }
    std::sort(first, last, less_);
    return {};
  }

 private:
  /// Of nine elements somewhere in the list, the one in the middle.
  Element pivot_of(Element* first, Element* last) {
    constexpr int kSamples = 9;
    Element samples[kSamples];
    for (Element& sample : samples) {
      sample = first[random_.next() % static_cast<uint64_t>(last - first)];
    }
    std::nth_element(samples, samples + kSamples / 2, samples + kSamples, less_);
    return samples[kSamples / 2];
  }

  /// Hoare's partition: nothing in [first, result) is greater than what is in [result, last), and neither is empty. Both scans stop
  /// at elements equal to the pivot, so that lists of few different elements are halved, too.
  Result<Element*> partition(Element* first, Element* last) {
    const Element pivot = pivot_of(first, last);
    Element* const begin = first;
    Element* polled_first = first;
    Element* polled_last = last;
    --last;
    for (;;) {
      while (less_(*first, pivot)) ++first;
      while (less_(pivot, *last)) --last;
      if (first >= last) break;
      std::swap(*first++, *last--);
      if ((first - polled_first) + (polled_last - last) > kPollSize) [[unlikely]] {
        TRY(poll_native(vm_, kPollSize / 4));
        polled_first = first;
        polled_last = last;
      }
    }
    TRY(poll_native(vm_, kPollSize / 4));
    // The pivot is in the list, and what was swapped stops the scans: first is at most the last element.
    return first == begin ? first + 1 : first;
  }

  Vm& vm_;
  Less less_;
  RandomSequence random_{reinterpret_cast<uintptr_t>(this)};
};

}  // namespace mangata
