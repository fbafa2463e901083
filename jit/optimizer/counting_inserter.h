// How many instructions an IRBuilder has generated.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace mangata::jit {

struct CountingInserter : llvm::IRBuilderDefaultInserter {
  explicit CountingInserter(size_t* inserted) : count(inserted) {}
  void InsertHelper(llvm::Instruction* instruction, const llvm::Twine& name, llvm::BasicBlock::iterator place) const override {
    ++*count;
    IRBuilderDefaultInserter::InsertHelper(instruction, name, place);
  }
  size_t* count;
};

}  // namespace mangata::jit
