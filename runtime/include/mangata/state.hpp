// States: machines with globals, a heap, and limits.
#pragma once

#include <mangata/containers.hpp>
#include <mangata/engine.hpp>
#include <mangata/object.hpp>
#include <mangata/paths.hpp>

namespace mangata {
inline namespace v1 {

using Limits = abi::Limits;
using Sandbox = abi::Sandbox;
using Library = abi::Library;

/// Everything a state can do. A StateView does not own its state: functions of the host may have it as a parameter. One thread at
/// a time may use a state; only interrupt() is for any thread.
class StateView {
 public:
  explicit StateView(abi::Core* core) : core_(core) {}

  // --- running code

  /// Compiles and runs. run("x = 1"); run<int>("return 6 * 7"); run<int, std::string>(...): Result of a tuple.
  template <typename... R>
  Result<typename detail::ReturnOf<R...>::type> run(std::string_view code, std::string_view chunk_name = {}) const {
    Error error;
    abi::Results results;
    const std::string_view name = chunk_name.empty() ? code : chunk_name;
    if (!open(&error) || !abi::run(core(), code, name, detail::wanted_results<R...>(), &results, &error)) return error;
    return detail::read_results<R...>(core(), results);
  }
  template <typename... R>
  Result<typename detail::ReturnOf<R...>::type> run_file(const std::string& path) const {
    Error error;
    abi::Results results;
    if (!open(&error) || !abi::run_file(core(), path.c_str(), detail::wanted_results<R...>(), &results, &error)) return error;
    return detail::read_results<R...>(core(), results);
  }
  /// Compiles only.
  Result<Function> load(std::string_view code, std::string_view chunk_name = {}) const {
    Error error;
    abi::Raw chunk;
    if (!open(&error) || !abi::load(core(), code, chunk_name.empty() ? code : chunk_name, &chunk, &error)) return error;
    return Function(Value(core(), chunk));
  }

  // --- values

  Reference operator[](std::string_view name) const { return detail::reference_to(core(), globals().as_value(), name); }
  /// _G; empty when the state is closed.
  Table globals() const {
    Error ignored;
    return open(&ignored) ? Table(Value(core(), abi::globals(core()))) : Table();
  }
  /// With room for `elements` values at 1..n, and `fields` under other keys.
  Result<Table> new_table(size_t elements = 0, size_t fields = 0) const {
    Error error;
    abi::Raw raw;
    if (!open(&error) || !abi::new_table(core(), elements, fields, &raw, &error)) return error;
    return Table(Value(core(), raw));
  }
  /// Anything that converts to a Lua value.
  template <typename T>
  Result<Value> make(T&& value) const {
    Error error;
    abi::Raw raw;
    if (!open(&error) || !detail::push_value(core(), std::forward<T>(value), &raw, &error)) return error;
    return Value(core(), raw);
  }
  /// Makes T a class of the state, under the global `name`: object.hpp.
  template <typename T>
  TypeBuilder<T> bind(const std::string& name) const {
    return TypeBuilder<T>(core(), name);
  }
  Result<Coroutine> new_coroutine(const Function& body) const {
    Error error;
    abi::Raw function, raw;
    if (!open(&error) || !Convert<Function>::push(core(), body, &function, &error) ||
        !abi::new_coroutine(core(), function, &raw, &error)) {
      return error;
    }
    return Coroutine(Value(core(), raw));
  }
  /// What the last call that failed with ErrorKind::Runtime was raised with: error{code = 1} raises a table.
  Value last_error_value() const {
    Error ignored;
    return open(&ignored) ? Value(core(), abi::last_error_value(core())) : Value();
  }

  // --- limits

  /// Stops what runs in the state, or else what is called next, with an error of kind Interrupted. From any thread and from signal
  /// handlers, but the state must not be closed meanwhile; an Interrupter (below) may be kept longer.
  void interrupt() const { abi::interrupt(core()); }
  /// Forgets an interrupt() that has stopped nothing yet.
  void clear_interrupt() const { abi::clear_interrupt(core()); }
  /// The limits apply from the next outermost call on. False, and all is as it was, while another thread is inside.
  bool set_limits(const Limits& limits) const { return abi::set_limits(core(), limits); }
  /// What is left of Limits::fuel, also in the middle of a call; 0 while another thread is inside.
  uint64_t fuel() const { return abi::fuel_left(core()); }
  /// Bytes in use, machine code included; 0 while another thread is inside.
  size_t memory_used() const { return abi::memory_used(core()); }
  Result<void> collect_garbage() const {
    Error error;
    if (!open(&error) || !abi::collect_garbage(core(), &error)) return error;
    return {};
  }

  Paths paths() const { return Paths(core()); }

  bool is_open() const { return core() != nullptr && abi::is_open(core()); }
  abi::Core* core() const { return core_.get(); }

 protected:
  StateView() = default;
  bool open(Error* error) const { return abi::check_open(core(), error); }
  detail::CoreReference core_;
};

/// Stops a state's code from another thread or from a signal handler, also when the state may be gone by then.
class Interrupter {
 public:
  explicit Interrupter(const StateView& state) : core_(state.core()) {}
  void operator()() const { abi::interrupt(core_.get()); }

 private:
  detail::CoreReference core_;
};

struct StateOptions {
  Limits limits = {};
  Sandbox sandbox = {};
};

/// Owns a state. Movable; may move to another thread between calls.
class State : public StateView {
 public:
  /// Throws ErrorException, or aborts, when the system gives no memory. See make().
  explicit State(const Engine& engine, const StateOptions& options = {}) : State(make(engine, options).value()) {}
  static Result<State> make(const Engine& engine, const StateOptions& options = {}) {
    Error error;
    abi::Core* core = abi::open_state(engine.host(), options.limits, options.sandbox, &error);
    if (core == nullptr) return error;
    return State(core, engine.share());
  }
  State(State&& other) noexcept : StateView(std::move(other)), engine_(std::move(other.engine_)) {}
  State& operator=(State&& other) noexcept {
    close();
    core_ = std::move(other.core_);
    engine_ = std::move(other.engine_);
    return *this;
  }
  ~State() { close(); }

  /// Runs finalizers, under the limits, and frees everything. Handles fail from now on.
  void close() {
    if (core() != nullptr) abi::close_state(core());
    core_ = {};
  }

 private:
  State(abi::Core* core, std::shared_ptr<abi::Host> engine) : StateView(core), engine_(std::move(engine)) {
    abi::release(core);  // the view has its own reference
  }
  std::shared_ptr<abi::Host> engine_;
};

}  // namespace v1
}  // namespace mangata
