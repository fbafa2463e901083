// The outcomes of branches, by the names that reports use.
#pragma once

namespace mangata {

/// The outcome of one branch, named for readers (profiler/README.md).
enum class Outcome : unsigned char {
  True,   ///< T: the condition held
  False,  ///< F: it did not
  Loop,   ///< a `for` went on
  Done,   ///< a `for` was finished
  Enter,  ///< a numeric `for` ran at least once
  Skip,   ///< a numeric `for` did not run at all
};
inline constexpr int kOutcomes = 6;

/// "T", "done": also the words of the JSON form.
const char* outcome_name(Outcome outcome);

}  // namespace mangata
