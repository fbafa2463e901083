// The settings of LuaCov (.luacov, or the file that LUACOV_CONFIG names), which are a Lua program: which files count, what they are
// called in reports, where hits are kept.
//
// The program runs in a machine of its own, which stays: patterns are Lua's, and the functions that apply them are, too. Without such a
// file there is no machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vm/vm.h"

namespace mangata {

class LuacovSettings {
 public:
  LuacovSettings();
  ~LuacovSettings();

  /// False: the program fails; *error says how. Without a file all settings are LuaCov's defaults.
  bool read(std::string* error);

  /// Whether the file of this name (stats_name) counts.
  bool includes(const std::string& name);
  /// What reports call it.
  std::string real_name(const std::string& name);

  const std::string& stats_file() const { return stats_file_; }
  bool counts_code_from_strings() const { return counts_code_from_strings_; }
  /// Files and folders that count though nothing of them was loaded.
  const std::vector<std::string>& untested() const { return untested_; }

 private:
  bool call(const char* function, const std::string& argument, Value* result);

  std::unique_ptr<Vm> vm_;      ///< null: LuaCov's defaults
  Table* answers_ = nullptr;  ///< what the program of settings made; a global keeps it
  std::string stats_file_ = "luacov.stats.out";
  bool counts_code_from_strings_ = false;
  std::vector<std::string> untested_;
};

}  // namespace mangata
