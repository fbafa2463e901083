#include "runtime/lib/pattern_cache.h"

#include <cctype>

#include <array>

#include "vm/object/short_bytes.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

class PatternCache {
 public:
  struct Entry {
    PatternProgram program;
    bool is_compiled = false;
    int use_count = 0;
  };

  /// The entry for a pattern with this hash.
  Entry& at(uint32_t hash) {
    const uint16_t* current = *__ctype_b_loc();
    if (classes_.own != current) [[unlikely]]
      change_locale(current);
    auto& entry = entries_[hash % kEntryCount];
    if (entry == nullptr) [[unlikely]]
      entry = std::make_unique<Entry>();
    return *entry;
  }
  const CharacterClasses& classes() const { return classes_; }

 private:
  static constexpr size_t kEntryCount = 64;

  void change_locale(const uint16_t* classes) {
    for (size_t i = 0; i < kByteCount; ++i) complement_[i] = static_cast<uint16_t>(~classes[i]);
    classes_ = {classes, complement_.data()};
    for (auto& entry : entries_) {
      if (entry != nullptr) entry->is_compiled = false;
    }
  }

  CharacterClasses classes_ = {};
  std::array<uint16_t, kByteCount> complement_ = {};
  std::array<std::unique_ptr<Entry>, kEntryCount> entries_;
};

thread_local PatternCache cache;

}  // namespace

/// A program that the cache does not keep.
struct CompiledPattern::Own {
  ~Own() {
    if (vm != nullptr) vm->heap.account(-static_cast<ptrdiff_t>(accounted_bytes));
  }
  /// The steps are about to double their memory.
  bool goes_on(size_t bytes) {
    vm->heap.account(static_cast<ptrdiff_t>(bytes - accounted_bytes));
    accounted_bytes = bytes;
    if (!vm->heap.may_hold(vm->heap.total_bytes() + bytes)) {
      (void)raise_out_of_memory(*vm);
      return false;
    }
    return poll_native(*vm, kNativePollPeriod / 4).ok();
  }

  PatternProgram program;
  std::string_view text;
  Vm* vm = nullptr;  ///< where its memory counts
  size_t accounted_bytes = 0;
};

CompiledPattern::CompiledPattern(String* pattern, bool is_anchor) {
  std::string_view text = pattern->view();
  is_anchored_ = is_anchor && text.starts_with('^');
  if (is_anchored_) text.remove_prefix(1);
  if (is_long(pattern)) {
    own_ = new Own;
    own_->text = text;
    return;
  }
  PatternCache::Entry& entry = cache.at(string_hash(pattern));
  const std::string_view known = entry.program.pattern();
  if (!entry.is_compiled || known.size() != text.size() ||
      !equal_bytes(known.data(), text.data(), text.size())) {
    if (entry.use_count != 0) {
      own_ = new Own;
      own_->program.compile(text, cache.classes());
      program_ = &own_->program;
      return;
    }
    entry.program.compile(text, cache.classes());
    entry.is_compiled = true;
  }
  program_ = &entry.program;
  use_count_ = &entry.use_count;
  ++*use_count_;
}

void CompiledPattern::free_own() { delete own_; }

Status CompiledPattern::compile_long(Vm& vm) {
  TRY(poll_native(vm, static_cast<int64_t>(own_->text.size() >> 6)));  // also for patterns that are refused
  own_->vm = &vm;
  const CompileWatch watch{[](void* own, size_t bytes) { return static_cast<Own*>(own)->goes_on(bytes); },
                           own_};
  cache.at(0);  // knows of the locale
  if (!own_->program.compile(own_->text, cache.classes(), watch)) return Raised{};
  program_ = &own_->program;
  return {};
}

}  // namespace mangata
