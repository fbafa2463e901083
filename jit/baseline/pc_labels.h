// Where the code of each bytecode instruction starts, and labels for those that something jumps to. Of a loop, those outside of it have
// labels, too, where it is left.
#pragma once

#include <cassert>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "jit/x64/registers.h"

namespace mangata::jit {

/// A label per pc, and one for the end. Labels are made when they are asked for: most instructions need none.
class PcLabels {
 public:
  /// For `count` instructions from `first` on.
  void reset(Assembler& assembler, size_t first, size_t count) {
    a_ = &assembler;
    first_ = first;
    outside_.clear();
    labels_.assign(count, Label());
    offsets_.clear();
    offsets_.reserve(count);
  }

  /// The instruction at `pc`, emitted already or to come.
  Label operator[](size_t pc) {
    const size_t index = pc - first_;
    const bool is_outside = index >= labels_.size();
    Label& label = is_outside ? outside_[pc] : labels_[index];
    if (label.isValid()) return label;
    label = a_->newLabel();
    if (index < offsets_.size()) a_->code()->bindLabel(label, a_->currentSection()->id(), offsets_[index]);
    return label;
  }

  /// The next pc starts here.
  void bind_next() {
    const size_t index = offsets_.size();
    if (labels_[index].isValid()) a_->bind(labels_[index]);
    offsets_.push_back(static_cast<uint32_t>(a_->offset()));
  }

  /// The next pc starts out of line, where the caller is going to bind the label that is returned: bind_deferred().
  Label defer_next(size_t pc) {
    const Label label = (*this)[pc];
    offsets_.push_back(0);
    return label;
  }
  /// The label of `pc`, which was deferred, has been bound here.
  void bind_deferred(size_t pc) { offsets_[pc - first_] = static_cast<uint32_t>(a_->offset()); }

  /// Of all instructions; the end is not one.
  std::vector<uint32_t> take_offsets() {
    assert(offsets_.size() == labels_.size() && "an instruction was not emitted");
    offsets_.pop_back();
    return std::move(offsets_);
  }

  /// Those outside that something jumps to.
  const std::map<size_t, Label>& outside() const { return outside_; }

 private:
  Assembler* a_ = nullptr;
  size_t first_ = 0;
  std::vector<Label> labels_;
  std::map<size_t, Label> outside_;
  std::vector<uint32_t> offsets_;
};

}  // namespace mangata::jit
