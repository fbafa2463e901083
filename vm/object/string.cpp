// Hashing of strings.
#include "vm/object/string.h"

#include "vm/object/short_bytes.h"

namespace mangata {

uint32_t string_hash(String* string) {
  if ((string->type_flags & String::kHashed) == 0) {
    string->type_word = hash_bytes(string->data, string->length);
    string->type_flags |= String::kHashed;
  }
  return string->type_word;
}

}  // namespace mangata
