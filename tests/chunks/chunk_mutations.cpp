// Binary chunks changed structurally, with a correct checksum: each is refused, or runs without harm.
//
//   chunk_mutations [--first N] [--count N | --seconds N] [--policy NAME]... [--show yes] [FILE.lua]...
//
// Case N is the same on every machine. A chunk that the verifier accepts runs with little fuel and memory,
// and often with a collection at every safepoint, or with a look at the stack at every call and backedge.
// Harm is a crash, a finding of a sanitizer, a stack that is not whole (stack_inspection.h), or not as it
// was. The case that runs is named when the process dies.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "runtime/embed/core.h"
#include "runtime/embed/limits.h"
#include "tests/chunks/mutator.h"
#include "tests/chunks/programs.h"
#include "tests/chunks/stack_inspection.h"
#include "vm/bytecode/chunk.h"
#include "vm/bytecode/disassembler.h"
#include "vm/frontend/compile.h"

/// Sanitizers report before they end the process, and have handlers of their own.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace mangata {
namespace {

char running_case[64];

void name_case() {
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, running_case, std::strlen(running_case));
}
void name_case_of_signal(int signal) {
  name_case();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void name_case_at_death() {
  if (__sanitizer_set_death_callback != nullptr) return __sanitizer_set_death_callback(name_case);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    std::signal(signal, name_case_of_signal);
}

struct Settings {
  uint64_t first = 1;
  uint64_t count = 1000;
  int seconds = 0;     ///< not 0: as many cases as there is time for
  bool shows = false;  ///< the bytecode of the last case
  std::vector<std::string> policies;
  std::vector<std::string> files;
};

struct Tally {
  uint64_t cases = 0, accepted = 0, ended = 0;
};

std::string listing(const Proto& proto) {
  std::string text = disassemble(proto);
  for (const Proto* nested : proto.nested) text += listing(*nested);
  return text;
}

/// Chunks of the programs, made once.
std::vector<std::string> all_chunks(const std::vector<std::string>& files) {
  std::vector<std::string> texts(std::begin(kPrograms), std::end(kPrograms));
  for (const std::string& name : files) {
    std::ostringstream text;
    text << std::ifstream(name).rdbuf();
    texts.push_back(text.str());
  }
  std::vector<std::string> chunks;
  Vm vm;
  for (const std::string& text : texts) {
    const Result<Proto*> proto = compile(vm, text, "=program");
    if (proto.ok()) chunks.push_back(dump_chunk(*proto.value(), false));
  }
  return chunks;
}

/// A state is used for some cases, so that what one leaves behind meets the next.
class Trial {
 public:
  /// What happens more often than otherwise.
  enum class Stress {
    None,
    Collections,
    Inspections,
    kCount
  };

  Trial(const std::string& policy, Stress stress) : inspects_(stress == Stress::Inspections) {
    abi::EngineSettings settings;
    settings.policy = policy;
    settings.deterministic = true;
    abi::Error error;
    host_ = abi::open_host(settings, &error);
    core_ = abi::open_state(host_, limits(0), {.libraries = abi::Library::kSafe}, &error);
    core_->vm->heap.set_stress(stress == Stress::Collections);
    if (inspects_) core_->vm->on_interrupt = inspect;
  }
  ~Trial() {
    abi::close_state(core_);
    abi::release(core_);
    abi::release(host_);
  }
  Trial(const Trial&) = delete;

  /// False: harm was done.
  bool run(const std::string& chunk, Tally* tally) {
    abi::Error error;
    abi::Raw function;
    if (!abi::load(core_, chunk, "=mutated", &function, &error)) return true;
    tally->accepted++;
    abi::set_limits(core_, limits(inspects_ ? 0 : kFuel));
    events_ = 0;
    problem_ = nullptr;
    if (inspects_) core_->vm->request_interrupt();
    const abi::Raw arguments[] = {raw(Value::integer(1)), raw(Value::boolean(true)), raw(Value::number(3.5))};
    abi::Results results;
    if (abi::call(core_, function, arguments, 3, 0, &results, &error)) {
      abi::finish_call(core_, results);
      tally->ended++;
    }
    abi::set_limits(core_, limits(0));
    return is_as_before() && problem_ == nullptr;
  }
  const char* problem() const { return problem_ == nullptr ? "the stack is not as it was" : problem_; }

 private:
  static constexpr uint64_t kFuel = 3000;

  /// Vm::on_interrupt, at every call and backedge.
  static Status inspect(Vm& vm) {
    if (problem_ == nullptr) problem_ = problem_of_stack(*vm.current);
    if (++events_ > kFuel || problem_ != nullptr)
      static_cast<abi::Core*>(vm.embedder)->watched.requested.store(abi::ErrorKind::Interrupted);
    TRY(abi::on_interrupt(vm));
    vm.request_interrupt();
    return {};
  }
  static abi::Limits limits(uint64_t fuel) {
    return {.memory_bytes = size_t{64} << 20, .stack_slots = 20000, .fuel = fuel};
  }
  static abi::Raw raw(const Value& value) { return {value.payload, static_cast<uint64_t>(value.tag)}; }
  bool is_as_before() const {
    Thread& thread = *core_->vm->main_thread;
    return thread.open_upvalues == nullptr && thread.to_be_closed.empty() && core_->vm->current == &thread &&
           (frame_of(thread.base)->flags & FrameHeader::kBottom) != 0;
  }

  inline static uint64_t events_ = 0;
  inline static const char* problem_ = nullptr;
  const bool inspects_;
  abi::Host* host_;
  abi::Core* core_;
};

int run_all(const Settings& settings) {
  const std::vector<std::string> chunks = all_chunks(settings.files);
  Vm maker;
  Tally tally;
  constexpr uint64_t kCasesPerState = 25, kStresses = static_cast<uint64_t>(Trial::Stress::kCount);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(settings.seconds);
  const auto goes_on = [&](uint64_t number) {
    return settings.seconds != 0 ? std::chrono::steady_clock::now() < end
                                 : number < settings.first + settings.count;
  };
  std::unique_ptr<Trial> trial;
  for (uint64_t number = settings.first; goes_on(number); number++) {
    if (!trial || number % kCasesPerState == 0) {
      const uint64_t turn = number / kCasesPerState;
      trial.reset();
      trial =
          std::make_unique<Trial>(settings.policies[turn % settings.policies.size()],
                                  static_cast<Trial::Stress>(turn / settings.policies.size() % kStresses));
    }
    std::snprintf(running_case, sizeof running_case, "in case %llu\n",
                  static_cast<unsigned long long>(number));
    const std::string chunk = Mutator(number).mutate(maker, chunks[number % chunks.size()]);
    if (number % 500 == 0) (void)maker.heap.collect_full();
    tally.cases++;
    if (settings.shows && !goes_on(number + 1)) {
      if (const auto proto = load_chunk(maker, chunk, "=mutated"); proto.ok())
        std::puts(listing(*proto.value()).c_str());
    }
    if (!trial->run(chunk, &tally)) {
      std::printf("case %llu: %s\n", static_cast<unsigned long long>(number), trial->problem());
      return 1;
    }
  }
  std::printf("%llu chunks, %llu accepted, %llu of them ended without an error\n",
              static_cast<unsigned long long>(tally.cases), static_cast<unsigned long long>(tally.accepted),
              static_cast<unsigned long long>(tally.ended));
  // A verifier that refuses everything would pass all else.
  return tally.cases >= 1000 && (tally.accepted * 20 < tally.cases || tally.ended * 100 < tally.cases) ? 1
                                                                                                       : 0;
}

bool parse(int argc, char** argv, Settings* settings) {
  for (int i = 1; i < argc; i++) {
    const std::string_view option = argv[i];
    if (option.substr(0, 2) != "--") {
      settings->files.emplace_back(option);
      continue;
    }
    if (++i == argc) return false;
    if (option == "--first")
      settings->first = std::strtoull(argv[i], nullptr, 10);
    else if (option == "--count")
      settings->count = std::strtoull(argv[i], nullptr, 10);
    else if (option == "--seconds")
      settings->seconds = std::atoi(argv[i]);
    else if (option == "--show")
      settings->shows = true;
    else if (option == "--policy")
      settings->policies.emplace_back(argv[i]);
    else
      return false;
  }
  if (settings->policies.empty()) settings->policies = {"interpreter", "baseline"};
  return true;
}

}  // namespace
}  // namespace mangata

int main(int argc, char** argv) {
  mangata::Settings settings;
  if (!mangata::parse(argc, argv, &settings)) {
    std::fputs(
        "usage: chunk_mutations [--first N] [--count N | --seconds N] [--policy NAME]... [FILE.lua]...\n",
        stderr);
    return 2;
  }
  mangata::name_case_at_death();
  return mangata::run_all(settings);
}
