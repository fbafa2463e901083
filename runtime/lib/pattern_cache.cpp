#include "runtime/lib/pattern_cache.h"

#include <cctype>

#include <array>
#include <memory>
#include <utility>

#include "vm/object/short_bytes.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

class PatternCache {
 public:
  struct Entry {
    PatternProgram program;
    uint32_t hash = 0;
    bool is_compiled = false;
    int use_count = 0;

    bool is_of(uint32_t text_hash, std::string_view text) const {
      const std::string_view known = program.pattern();
      return is_compiled && hash == text_hash && known.size() == text.size() && equal_bytes(known.data(), text.data(), text.size());
    }
  };

  /// The program of `text`, compiled when it has to be; null: all places it could have are in use.
  Entry* find(uint32_t hash, std::string_view text) {
    meet_locale();
    Set& set = sets_[hash % kSetCount];
    for (size_t way = 0; way < kWays && set[way] != nullptr; ++way) {
      if (!set[way]->is_of(hash, text)) continue;
      if (way != 0) std::swap(set[way], set[way - 1]);
      return set[way == 0 ? 0 : way - 1].get();
    }
    return replace(set, hash, text);
  }
  /// Those of the locale of now.
  const CharacterClasses& classes() {
    meet_locale();
    return classes_;
  }

 private:
  static constexpr size_t kSetCount = 32;
  static constexpr size_t kWays = 4;
  using Set = std::array<std::unique_ptr<Entry>, kWays>;

  /// Puts the program in the place of the one that was found least, of those that are not in use.
  Entry* replace(Set& set, uint32_t hash, std::string_view text) {
    for (size_t way = kWays; way-- > 0;) {
      if (set[way] != nullptr && set[way]->use_count != 0) continue;
      size_t first_free = way;
      while (first_free > 0 && set[first_free - 1] == nullptr) --first_free;
      auto& entry = set[first_free];
      if (entry == nullptr) entry = std::make_unique<Entry>();
      entry->is_compiled = false;
      entry->program.compile(text, classes_);
      entry->hash = hash;
      entry->is_compiled = true;
      return entry.get();
    }
    return nullptr;
  }

  void meet_locale() {
    const uint16_t* current = *__ctype_b_loc();
    if (classes_.own != current) [[unlikely]]
      change_locale(current);
  }
  void change_locale(const uint16_t* classes) {
    for (size_t i = 0; i < kByteCount; ++i) complement_[i] = static_cast<uint16_t>(~classes[i]);
    classes_ = {classes, complement_.data()};
    for (Set& set : sets_) {
      for (auto& entry : set) {
        if (entry != nullptr) entry->is_compiled = false;
      }
    }
  }

  CharacterClasses classes_ = {};
  std::array<uint16_t, kByteCount> complement_ = {};
  std::array<Set, kSetCount> sets_;
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
  PatternCache::Entry* const entry = cache.find(string_hash(pattern), text);
  if (entry == nullptr) {
    own_ = new Own;
    own_->program.compile(text, cache.classes());
    program_ = &own_->program;
    return;
  }
  program_ = &entry->program;
  use_count_ = &entry->use_count;
  ++*use_count_;
}

void CompiledPattern::free_own() { delete own_; }

Status CompiledPattern::compile_long(Vm& vm) {
  TRY(poll_native(vm, static_cast<int64_t>(own_->text.size() >> 6)));  // also for patterns that are refused
  own_->vm = &vm;
  const CompileWatch watch{[](void* own, size_t bytes) { return static_cast<Own*>(own)->goes_on(bytes); },
                           own_};
  if (!own_->program.compile(own_->text, cache.classes(), watch)) return Raised{};
  program_ = &own_->program;
  return {};
}

}  // namespace mangata
