// The engine: what all states of a process share.
#pragma once

#include <functional>

#include <mangata/policy.hpp>

namespace mangata {
inline namespace v1 {

using TieringEvent = abi::TieringEvent;

struct EngineOptions {
  /// Who decides what is compiled and what is counted: the values of `mangata --policy=`. Ignored when custom_policy is set.
  std::string policy = "adaptive";
  /// Shared by all states, on all their threads.
  std::shared_ptr<const Policy> custom_policy = nullptr;
  /// Hears of each decision about a function and of optimized code that comes into force or goes, on the thread of the state that it is
  /// about, in the middle of its run: it must not throw, nor use a state.
  std::function<void(const TieringEvent&)> on_tiering = nullptr;
  /// Most machine code of one state; beyond it, functions stay interpreted.
  size_t code_bytes = size_t{16} << 20;
  /// Logical time only: the same program takes the same decisions, and math.random starts from `seed`.
  bool deterministic = false;
  uint64_t seed = 0;
};

/// Thread-safe; copies refer to the same engine, which lives as long as any of them or a state.
class Engine {
 public:
  /// Precondition: options.policy is the name of a policy; otherwise throws ErrorException, or aborts. See make().
  explicit Engine(EngineOptions options = {}) : Engine(make(std::move(options)).value()) {}

  /// An unknown policy is an error of kind Misuse.
  static Result<Engine> make(EngineOptions options = {}) {
    abi::EngineSettings settings;
    settings.policy = options.policy;
    settings.code_bytes = options.code_bytes;
    settings.deterministic = options.deterministic;
    settings.seed = options.seed;
    if (options.custom_policy != nullptr) {
      settings.functions = detail::policy_functions();
      settings.self = const_cast<Policy*>(options.custom_policy.get());
    }
    using Listener = std::function<void(const TieringEvent&)>;
    std::shared_ptr<Listener> listener;
    if (options.on_tiering) {
      listener = std::make_shared<Listener>(std::move(options.on_tiering));
      settings.listen = [](void* function, const TieringEvent& event) { (*static_cast<Listener*>(function))(event); };
      settings.listener = listener.get();
    }
    Error error;
    abi::Host* host = abi::open_host(settings, &error);
    if (host == nullptr) return error;
    return Engine(std::shared_ptr<abi::Host>(host, [policy = options.custom_policy, listener](abi::Host* released) { abi::release(released); }));
  }

  abi::Host* host() const { return host_.get(); }
  /// Keeps the engine.
  std::shared_ptr<abi::Host> share() const { return host_; }

 private:
  explicit Engine(std::shared_ptr<abi::Host> host) : host_(std::move(host)) {}
  std::shared_ptr<abi::Host> host_;
};

}  // namespace v1
}  // namespace mangata
