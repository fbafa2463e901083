#include "jit/region/optimizer.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace mangata::jit {

std::unique_ptr<Optimizer> load_optimizer(std::string* error) {
  constexpr const char* kName = "mangata-orc.so";
  std::vector<std::string> places;
  if (const char* named = std::getenv("MANGATA_ORC"); named != nullptr && *named != '\0') {
    places.emplace_back(named);
  } else {
    std::error_code ignored;
    const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", ignored);
    places.push_back(executable.parent_path() / kName);
    places.push_back(executable.parent_path().parent_path() / "lib" / "mangata" / kName);
    // Beside the library that this code is part of, in programs that embed Mangata.
    if (Dl_info self; dladdr(reinterpret_cast<const void*>(&load_optimizer), &self) != 0 && self.dli_fname != nullptr) {
      places.push_back(std::filesystem::path(self.dli_fname).parent_path() / "mangata" / kName);
    }
  }
  void* module = nullptr;
  bool was_there = false;
  for (const std::string& place : places) {
    if (module == nullptr) module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module != nullptr || was_there) continue;
    *error = dlerror();
    std::error_code ignored;
    was_there = std::filesystem::exists(place, ignored);  // then this is what is wrong, not that it is nowhere else
  }
  if (module == nullptr) return nullptr;
  error->clear();
  const auto make = reinterpret_cast<MakeOptimizer>(dlsym(module, kOptimizerSymbol));
  if (make == nullptr) {
    *error = std::string(kName) + " has no " + kOptimizerSymbol;
    return nullptr;
  }
  const RegionRuntime runtime = region_runtime();
  return std::unique_ptr<Optimizer>(make(MANGATA_VERSION, kOptimizerLayout, &runtime, error));
}

}  // namespace mangata::jit
