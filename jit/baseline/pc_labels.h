// Where the code of each bytecode instruction starts, and labels for those that something jumps to.
#pragma once

#include <asmjit/x86.h>

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

namespace mangata::jit {

/// A label per pc, and one for the end. Labels are made when they are asked for: most instructions need none.
class PcLabels {
 public:
  void reset(asmjit::x86::Assembler& assembler, size_t count) {
    a_ = &assembler;
    labels_.assign(count, asmjit::Label());
    offsets_.clear();
    offsets_.reserve(count);
  }

  /// The instruction at `pc`, emitted already or to come.
  asmjit::Label operator[](size_t pc) {
    asmjit::Label& label = labels_[pc];
    if (label.isValid()) return label;
    label = a_->newLabel();
    if (pc < offsets_.size()) a_->code()->bindLabel(label, a_->currentSection()->id(), offsets_[pc]);
    return label;
  }

  /// The next pc starts here.
  void bind_next() {
    const size_t pc = offsets_.size();
    if (labels_[pc].isValid()) a_->bind(labels_[pc]);
    offsets_.push_back(static_cast<uint32_t>(a_->offset()));
  }

  /// Of all instructions; the end is not one.
  std::vector<uint32_t> take_offsets() {
    assert(offsets_.size() == labels_.size() && "an instruction was not emitted");
    offsets_.pop_back();
    return std::move(offsets_);
  }

 private:
  asmjit::x86::Assembler* a_ = nullptr;
  std::vector<asmjit::Label> labels_;
  std::vector<uint32_t> offsets_;
};

}  // namespace mangata::jit
