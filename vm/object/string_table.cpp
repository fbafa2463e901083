// The intern table; see string_table.h.
#include "vm/object/string_table.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "vm/heap/collector.h"
#include "vm/heap/heap.h"
#include "vm/object/short_bytes.h"

namespace mangata {
namespace {

constexpr uint32_t kFirstCapacity = 1024;
/// At most five places of eight are taken, so the longest of ten million probes is expected to be below 200.
constexpr uint32_t kLongProbe = 256;
/// A table with so many places for each long probe is worth a new key: that costs what the probes did.
constexpr uint32_t kPlacesPerLongProbe = 64;

}  // namespace

StringTable::StringTable(Heap& heap) : heap_(heap), mask_(0) {
  if (!resize(kFirstCapacity)) throw std::bad_alloc();
}
StringTable::~StringTable() = default;

bool StringTable::resize(uint32_t capacity, bool with_new_key) {
  const uint32_t old_capacity = strings_ ? mask_ + 1 : 0;
  Zeros<uint32_t> old_hashes(static_cast<uint32_t*>(std::calloc(capacity, sizeof(uint32_t))));
  Zeros<String*> old_strings(static_cast<String**>(std::calloc(capacity, sizeof(String*))));
  if (!old_hashes || !old_strings) return false;
  heap_.collector().strings_are_crowded = false;
  old_hashes.swap(hashes_);
  old_strings.swap(strings_);
  heap_.account((static_cast<ptrdiff_t>(capacity) - old_capacity) *
                static_cast<ptrdiff_t>(sizeof(uint32_t) + sizeof(String*)));
  mask_ = capacity - 1;
  if (with_new_key) key_ = random_hash_key();
  for (uint32_t i = 0; i < old_capacity; ++i) {
    String* string = old_strings[i];
    if (string != nullptr)
      place(string, with_new_key ? hash_bytes(string->data, string->length, key_) : old_hashes[i]);
  }
  return true;
}

void StringTable::place(String* string, uint32_t hash) {
  uint32_t position = hash & mask_;
  while (strings_[position] != nullptr) position = (position + 1) & mask_;
  strings_[position] = string;
  hashes_[position] = hash;
}

String* StringTable::find_or_insert(std::string_view text) {
  const uint32_t hash = hash_bytes(text.data(), text.size(), key_);
  for (uint32_t position = hash & mask_;; position = (position + 1) & mask_) {
    String* string = strings_[position];
    if (string == nullptr) return insert(text, hash, position);
    if (hashes_[position] == hash && string->length == text.size() &&
        equal_bytes(string->data, text.data(), text.size())) {
      return string;
    }
  }
}

String* StringTable::insert(std::string_view text, uint32_t hash, uint32_t position) {
  auto* string =
      static_cast<String*>(heap_.allocate_small(ObjectType::String, String::size_bytes(text.size())));
  string->type_flags = String::kShort | String::kHashed;
  if (text.size() >= 2 && text[0] == '_' && text[1] == '_') string->type_flags |= String::kMetamethodName;
  string->type_word = is_rekeyed_ ? hash_bytes(text.data(), text.size()) : hash;
  string->length = text.size();
  copy_bytes(string->data, text.data(), text.size());
  string->data[text.size()] = '\0';
  strings_[position] = string;
  hashes_[position] = hash;
  const bool is_long_probe = ((position - hash) & mask_) >= kLongProbe;
  if (++string_count_ > (mask_ + 1) / 8 * 5 && !resize((mask_ + 1) * 2)) {
    // It works on until it is full; each safepoint raises "not enough memory" meanwhile.
    heap_.collector().strings_are_crowded = true;
    heap_.memory_is_short();
    if (string_count_ == mask_) throw std::bad_alloc();
  }
  if (is_long_probe) [[unlikely]]
    note_long_probe();
  return string;
}

void StringTable::note_long_probe() {
  if (--long_probes_until_rekey_ > 0) return;
  long_probes_until_rekey_ = (mask_ + 1) / kPlacesPerLongProbe;
  if (resize(mask_ + 1, /*with_new_key=*/true)) is_rekeyed_ = true;
}

uint32_t StringTable::longest_probe() const {
  uint32_t longest = 0;
  for (uint32_t i = 0; i <= mask_; ++i) {
    if (strings_[i] != nullptr) longest = std::max(longest, ((i - hashes_[i]) & mask_) + 1);
  }
  return longest;
}

void StringTable::sweep(bool keeps_room) {
  const uint32_t count_before = string_count_;
  for (String*& string : of_one_byte_) {
    if (string != nullptr && !heap_.is_small_marked(string)) string = nullptr;
  }
  // Starting behind a free place, every run of taken places is seen from its beginning. From the first
  // removal in a run on, its strings are placed anew, which never moves one past the place it had.
  uint32_t start = 0;
  while (strings_[start] != nullptr) ++start;
  bool run_has_gap = false;
  for (uint32_t i = 1; i <= mask_; ++i) {
    const uint32_t position = (start + i) & mask_;
    String* string = strings_[position];
    if (string == nullptr) {
      run_has_gap = false;
    } else if (!heap_.is_small_marked(string)) {
      strings_[position] = nullptr;
      --string_count_;
      run_has_gap = true;
    } else if (run_has_gap) {
      strings_[position] = nullptr;
      place(string, hashes_[position]);
    }
  }
  uint32_t capacity = mask_ + 1;
  const uint32_t wanted = keeps_room ? count_before : string_count_;
  if (string_count_ <= capacity / 8 * 5) heap_.collector().strings_are_crowded = false;
  while (capacity > kFirstCapacity && wanted < capacity / 8) capacity /= 2;
  if (capacity != mask_ + 1) (void)resize(capacity);  // refused: it stays as it is
}

}  // namespace mangata
