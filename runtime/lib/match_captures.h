// From the captures of a PatternMatcher to Lua values (Lua 5.4 manual §6.4.1).
#pragma once

#include "runtime/lib/pattern.h"
#include "vm/native.h"

namespace mangata {

/// Lets the matcher stop for interrupts, and charges its work.
void watch_matching(Vm& vm, PatternMatcher& matcher);

/// After matcher.failed(): raises what is wrong with the pattern, or lets an interrupt happen. Ok: what was under way is to be begun
/// again.
Status handle_match_failure(Call& call, PatternMatcher& matcher);

/// Capture `i` of a match that spans [begin, end), as text. When there are no captures, capture 0 is the
/// whole match. `position`: set when it is a position capture, and then the text is meaningless.
Result<std::string_view> capture_text(Call& call, const PatternMatcher& matcher, int i, const char* begin,
                                      const char* end, int64_t* position);

/// The same as a value: a string, or an integer for a position.
Result<Value> capture_value(Call& call, const PatternMatcher& matcher, int i, const char* begin,
                            const char* end);

/// Pushes all captures, or the whole match when there are none and `begin` is not null. Returns how many it
/// pushed.
Result<int> push_captures(Call& call, const PatternMatcher& matcher, const char* begin, const char* end);

/// The same for direct forms: stores them at `out`, where there is room for all. kNotDirect: it would raise.
int store_captures(Vm& vm, const PatternMatcher& matcher, const char* begin, const char* end, Value* out);

}  // namespace mangata
