#include "runtime/engine.h"

#include <cstdio>
#include <cstdlib>

#include "profiler/edge_profiler.h"
#include "profiler/edge_report.h"
#include "profiler/path_profiler.h"
#include "profiler/report.h"
#include "runtime/coverage_session.h"
#include "runtime/lib/jit_library.h"
#include "runtime/lib/libraries.h"
#include "runtime/path_session.h"
#include "runtime/tiering/tier_manager.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata {

Engine::Engine(const Options& options) : options_(options), vm_(std::make_unique<Vm>()) {
  if (options.profile_paths) profiler_ = std::make_unique<PathProfiler>(options.profile);
  if (options.profile_edges) edge_profiler_ = std::make_unique<EdgeProfiler>();
  if (options.coverage.is_on) coverage_ = std::make_unique<CoverageSession>(options.coverage, *options.log.errors);
  tiers_ = std::make_unique<TierManager>(*vm_, options);
  session_ = std::make_unique<PathSession>(*vm_, *tiers_, options, profiler_.get());
  vm_->hooks = this;
  if (profiler_ != nullptr) clock_ = vm_->path_clock = profiler_->clock();
  if (clock_ != nullptr) clock_->change_thread(*vm_->current, false);
  if (options.ignore_environment) set_field(*vm_, vm_->registry, "LUA_NOENV", Value::boolean(true));
  const uint32_t libraries = options.opens_libraries ? options.libraries : 0;
  open_libraries(*vm_, libraries);
  if (options.log.deterministic && (libraries & kMathLibrary) != 0) seed_random(*vm_, options.seed);
  if ((libraries & kJitLibrary) != 0) preload_jit(*vm_, *tiers_, *session_);
  vm_->heap.set_generational(true);  // what the stand-alone lua5.4 starts in
  vm_->heap.set_limit(options.max_memory_bytes);
  vm_->heap.set_stress(options.collect_at_every_safepoint);
}

Engine::~Engine() { close(); }

void Engine::close() {
  if (vm_ == nullptr) return;
  for (Thread* thread = vm_->current; thread != nullptr; thread = thread->resumer) cut_all_paths(*vm_, *thread);
  tiers_->program_ends();
  vm_.reset();
  tiers_->finish();
  write_profile();
}

std::string Engine::profile_text() const {
  if (edge_profiler_ != nullptr) return write_edge_report(edge_profiler_->snapshot(), options_.report);
  return write_report(profiler_ != nullptr ? profiler_->snapshot() : tiers_->sampled_profile(),
                      options_.report);
}

int Engine::exit_code(int code) const {
  constexpr int kTooLittleCovered = 2;
  if (code != EXIT_SUCCESS) return code;
  if (!are_whole()) return EXIT_FAILURE;
  return coverage_ == nullptr || coverage_->is_enough() ? EXIT_SUCCESS : kTooLittleCovered;
}

void Engine::write_profile() {
  if (!options_.reports() || options_.only_dumps() || profile_written_) return;
  profile_written_ = true;
  if (coverage_ != nullptr) {
    coverage_->write();
    return;
  }
  const std::string text = profile_text();
  OutputErrors& errors = *options_.log.errors;
  OutputFile file = options_.profile_file.empty()
                        ? OutputFile::standard("profile", stderr, errors)
                        : OutputFile::open("profile", options_.profile_file, errors);
  file.write(text);
}

// What is done about a program belongs to none of its paths.

void Engine::proto_created(Proto& proto) {
  const PathClock::Stop stop(clock_);
  if (profiler_ != nullptr) profiler_->proto_created(proto);
  if (edge_profiler_ != nullptr) edge_profiler_->proto_created(proto);
  if (coverage_ != nullptr) coverage_->profiler().proto_created(proto);
  session_->proto_created(proto);
  tiers_->proto_created(proto);
}

void Engine::function_is_hot(Proto& proto) {
  const PathClock::Stop stop(clock_);
  tiers_->function_is_hot(proto);
}

void Engine::loop_is_hot(Proto& proto) {
  const PathClock::Stop stop(clock_);
  tiers_->loop_is_hot(proto);
}

void Engine::sample_is_due(Proto& proto, int32_t events) {
  const PathClock::Stop stop(clock_);
  tiers_->sample_is_due(proto, events);
}

void Engine::instruction_starts(Thread& thread, Proto& proto, int original_pc) { tiers_->instruction_starts(thread, proto, original_pc); }

void Engine::proto_destroyed(Proto& proto) {
  tiers_->proto_destroyed(proto);
  if (profiler_ != nullptr) profiler_->proto_destroyed(proto);
  if (edge_profiler_ != nullptr) edge_profiler_->proto_destroyed(proto);
  if (coverage_ != nullptr) coverage_->profiler().proto_destroyed(proto);
  session_->proto_destroyed(proto);
}

void Engine::path_cut(Proto& proto, const Value* base) {
  if (profiler_ != nullptr) profiler_->path_cut(proto, base);
  if (edge_profiler_ != nullptr) edge_profiler_->path_cut(proto, base);
  if (coverage_ != nullptr) coverage_->profiler().path_cut(proto, base);
  session_->path_cut(proto, base);
}

void Engine::process_exiting(Vm& vm) {
  for (Thread* thread = vm.current; thread != nullptr; thread = thread->resumer) cut_all_paths(vm, *thread);
  vm.heap.cut_suspended_paths();
  tiers_->finish();
  write_profile();
}

}  // namespace mangata
