// What a baseline profile has to do with the functions of this run: which of its paths exist, and which do not any more.
//
// Read next: profiler/baseline_profile.h (what a known path is).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "numbering/path_numbering.h"
#include "profiler/baseline_profile.h"

namespace mangata {

struct FunctionRecord;
struct PathProfile;

class BaselineMatch {
 public:
  explicit BaselineMatch(const BaselineProfile& baseline) : baseline_(baseline) {}

  /// Looks the function up: notes paths of it that its code does not have.
  /// returns  the numbers of the paths to be counted preferentially; empty when it needs no compact table
  std::vector<numbering::PathNumber> add(FunctionRecord& record);

  /// Marks paths of the profile as residual, and says what is stale.
  void compare(PathProfile* profile) const;

 private:
  const BaselineProfile& baseline_;
  std::set<std::string> seen_;                             ///< ids of functions of this run
  std::map<std::string, std::vector<std::string>> stale_;  ///< keys by id
};

}  // namespace mangata
