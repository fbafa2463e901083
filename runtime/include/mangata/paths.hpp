// Exact counts of the paths that a part of the run takes: state.paths().start(); ...; state.paths().top(10).
#pragma once

#include <vector>

#include <mangata/handle.hpp>

namespace mangata {
inline namespace v1 {

using HotPath = abi::HotPath;

/// Counts from start() to stop(); what was counted is kept until reset(). Functions that run meanwhile go on in versions of their
/// code that count, with the same results.
class Paths {
 public:
  explicit Paths(abi::Core* core) : core_(core) {}

  /// Paths through up to `iterations` rounds of innermost loops, 1 to 16. Misuse outside of that.
  Result<void> start(unsigned iterations = 1) const {
    return simple([iterations](abi::Core* core, Error* error) { return abi::start_paths(core, iterations, error); });
  }
  Result<void> stop() const { return simple(abi::stop_paths); }
  Result<void> reset() const { return simple(abi::reset_paths); }
  /// The most frequent ones, in order; 0: all.
  Result<std::vector<HotPath>> top(size_t count) const {
    Error error;
    std::vector<HotPath> paths;
    const auto add = [](void* all, HotPath&& path) { static_cast<std::vector<HotPath>*>(all)->push_back(std::move(path)); };
    if (!abi::check_open(core_.get(), &error) || !abi::top_paths(core_.get(), count, add, &paths, &error)) return error;
    return paths;
  }
  /// As --profile-paths writes it.
  Result<std::string> report(bool json = false) const {
    Error error;
    std::string text;
    if (!abi::check_open(core_.get(), &error) || !abi::report_paths(core_.get(), json, &text, &error)) return error;
    return text;
  }

 private:
  template <typename F>
  Result<void> simple(F function) const {
    Error error;
    if (!abi::check_open(core_.get(), &error) || !function(core_.get(), &error)) return error;
    return {};
  }
  detail::CoreReference core_;
};

}  // namespace v1
}  // namespace mangata
