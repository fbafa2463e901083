#include "runtime/engine.h"

#include <cstdio>
#include <cstdlib>

#include "profiler/edge_profiler.h"
#include "profiler/edge_report.h"
#include "profiler/path_profiler.h"
#include "profiler/path_times.h"
#include "profiler/report.h"
#include "profiler/report_stacks.h"
#include "profiler/selection.h"
#include "runtime/coverage_session.h"
#include "runtime/exact_counting.h"
#include "runtime/lib/jit_library.h"
#include "runtime/lib/libraries.h"
#include "runtime/library_set/library_set.h"
#include "runtime/output/whole_file.h"
#include "runtime/path_session.h"
#include "runtime/sampling/time_profile_of.h"
#include "runtime/sampling/time_sampler.h"
#include "runtime/tiering/tier_manager.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata {

namespace {

/// Which of the filters no function of the profile passes; empty: none, or nothing ran.
template <class Functions>
std::string unmatched_filters(const Functions& functions, const ReportOptions& options) {
  ReportOptions by_name, by_file;
  by_name.function_glob = options.function_glob;
  by_file.file_glob = options.file_glob;
  size_t names = 0, files = 0, both = 0;
  for (const auto& function : functions) {
    names += passes_filters(function.name, function.file, by_name);
    files += passes_filters(function.name, function.file, by_file);
    both += passes_filters(function.name, function.file, options);
  }
  if (both != 0 || functions.empty()) return {};
  const std::string name = "'--profile-func=" + options.function_glob + "'", file = "'--profile-file=" + options.file_glob + "'";
  if (names == 0) return "no function that ran matches " + name;
  if (files == 0) return "no file of a function that ran matches " + file;
  return "no function that ran matches both " + name + " and " + file;
}

}  // namespace

Engine::Engine(const Options& options) : options_(options), vm_(std::make_unique<Vm>()), machine_(vm_.get()) {
  if (options.profile_paths) profiler_ = std::make_unique<PathProfiler>(options.profile);
  if (options.profile_edges) edge_profiler_ = std::make_unique<EdgeProfiler>();
  if (options.coverage.is_on) coverage_ = std::make_unique<CoverageSession>(options.coverage, *options.log.errors);
  tiers_ = std::make_unique<TierManager>(*vm_, tier_settings(options));
  if (options.profile_paths && options.profile.time) {
    sampler_ = std::make_unique<TimeSampler>(*vm_);
    tiers_->observe_code(sampler_->observer());
  }
  session_ = std::make_unique<PathSession>(*vm_, *tiers_, options, profiler_.get());
  vm_->hooks = this;
  if (profiler_ != nullptr && profiler_->allocations() != nullptr) count_allocations(*profiler_->allocations());
  if (options.ignore_environment) set_field(*vm_, vm_->registry, "LUA_NOENV", Value::boolean(true));
  const uint32_t libraries = options.opens_libraries ? options.libraries : 0;
  open_libraries(*vm_, libraries);
  if (options.log.deterministic && (libraries & kMathLibrary) != 0) seed_random(*vm_, options.seed);
  if ((libraries & kJitLibrary) != 0) preload_jit(*vm_, *tiers_, *session_);
  vm_->heap.set_generational(true);  // what the stand-alone lua5.4 starts in
  vm_->heap.set_limit(options.max_memory_bytes);
  vm_->heap.set_stress(options.collect_at_every_safepoint);
  start_sampling();
}

/// Where the system has no timers for it, there are no times.
void Engine::start_sampling() {
  if (sampler_ != nullptr && !options_.only_dumps() && !sampler_->start(options_.profile.samples_per_second)) sampler_->stop();
}

void Engine::stop_sampling() {
  if (sampler_ != nullptr) sampler_->stop();
}

void Engine::count_allocations(PathAllocations& allocations) {
  vm_->path_allocations = &allocations;
  allocations.attach(vm_->heap);
  allocations.change_thread(*vm_->current, false);
}

Engine::~Engine() { close(); }

void Engine::close() {
  if (vm_ == nullptr) return;
  for (Thread* thread = vm_->current; thread != nullptr; thread = thread->resumer) cut_all_paths(*vm_, *thread);
  tiers_->program_ends();
  vm_->close();  // finalizers take time, too
  stop_sampling();
  tiers_->machine_goes();
  vm_.reset();
  tiers_->finish();
  write_profile();
}

std::optional<TimeProfile> Engine::time_profile() const {
  if (sampler_ == nullptr) return {};
  return time_profile_of(*sampler_, tiers_->compile_thread_nanoseconds());
}

RunProfile Engine::profile_of_paths() {
  RunProfile profile;
  if (!run_.command_line.empty()) profile.runs = {run_};
  if (sampler_ != nullptr) sampler_->take_stock();
  profile.time = time_profile();
  profile.has_allocations = profiler_ != nullptr && profiler_->allocations() != nullptr;
  if (profiler_ == nullptr) {
    profile.paths = tiers_->sampled_profile();
  } else if (sampler_ == nullptr) {
    profile.paths = profiler_->snapshot();
  } else {
    const FunctionTimes times = function_times_of(*sampler_);
    profile.paths = profiler_->snapshot(&times);
  }
  profile.paths.chunks = texts_.of(profile.paths.functions);
  return profile;
}

void Engine::write_stacks_file(const RunProfile& profile) {
  if (!profile.time || options_.stacks_file.empty()) return;
  write_whole_file("stacks", options_.stacks_file, write_stacks(*profile.time), *options_.log.errors);
}

void Engine::report() {
  if (coverage_ != nullptr) return coverage_->write();
  std::string text, problem;
  if (edge_profiler_ != nullptr) {
    EdgeProfile profile = edge_profiler_->snapshot();
    profile.chunks = texts_.of(profile.functions);
    text = write_edge_report(profile, options_.report);
    problem = unmatched_filters(profile.functions, options_.report);
  } else {
    const RunProfile profile = profile_of_paths();
    write_stacks_file(profile);
    text = write_report(profile, options_.report);
    problem = profile.paths.has_coverage ? unmatched_filters(profile.paths.coverage, options_.report)
                                         : unmatched_filters(profile.paths.functions, options_.report);
  }
  OutputErrors& errors = *options_.log.errors;
  if (options_.profile_file.empty()) {
    OutputFile::standard("profile", stderr, errors).write(text);
  } else {
    write_whole_file("profile", options_.profile_file, text, errors);
  }
  if (!problem.empty()) std::fprintf(stderr, "mangata: %s\n", problem.c_str());
}

int Engine::exit_code(int code) const {
  constexpr int kTooLittleCovered = 2;
  if (code != EXIT_SUCCESS) return code;
  if (!are_whole()) return EXIT_FAILURE;
  return coverage_ == nullptr || coverage_->is_enough() ? EXIT_SUCCESS : kTooLittleCovered;
}

void Engine::write_profile() {
  if (!has_to_report()) return;
  profile_written_ = true;
  report();
}

void Engine::write_snapshot() {
  const ActivityScope reporting(*vm_, Activity::Compiler);
  const PathAllocations::Pause pause(vm_->path_allocations);
  // LuaCov's file gets what is written added: coverage is written once.
  if (has_to_report() && coverage_ == nullptr) report();
}

// What is done about a program is no part of it.

bool Engine::text_compiling(std::string_view text, std::string_view chunk_name) {
  if (!options_.reports() || options_.only_dumps()) return false;
  const ActivityScope compiling(*vm_, Activity::Compiler);
  texts_.loaded(text, chunk_name);
  return true;
}

void Engine::proto_created(Proto& proto) {
  const ActivityScope compiling(*vm_, Activity::Compiler);
  const PathAllocations::Pause pause(vm_->path_allocations);
  if (profiler_ != nullptr) count_new_function(*vm_, *profiler_, proto);
  if (edge_profiler_ != nullptr) edge_profiler_->proto_created(proto);
  if (coverage_ != nullptr) coverage_->profiler().proto_created(proto);
  session_->proto_created(proto);
  tiers_->proto_created(proto);
  if (sampler_ != nullptr) sampler_->proto_created(proto);
}

void Engine::function_is_hot(Proto& proto) {
  const ActivityScope compiling(*vm_, Activity::Compiler);
  const PathAllocations::Pause pause(vm_->path_allocations);
  tiers_->function_is_hot(proto);
}

void Engine::loop_is_hot(Proto& proto) {
  const ActivityScope compiling(*vm_, Activity::Compiler);
  const PathAllocations::Pause pause(vm_->path_allocations);
  tiers_->loop_is_hot(proto);
}

void Engine::sample_is_due(Proto& proto, int32_t events) {
  const ActivityScope compiling(*vm_, Activity::Compiler);
  const PathAllocations::Pause pause(vm_->path_allocations);
  tiers_->sample_is_due(proto, events);
  if (sampler_ != nullptr) sampler_->look();
}

void Engine::region_is_left(Proto& proto) {
  const ActivityScope compiling(*vm_, Activity::Compiler);
  const PathAllocations::Pause pause(vm_->path_allocations);
  tiers_->region_is_left(proto);
}

void Engine::events_interpreted() {
  if (sampler_ != nullptr) sampler_->look();
}

void Engine::recording_ended(Proto& proto) { tiers_->recording_ended(proto); }

void Engine::proto_destroyed(Proto& proto) {
  if (sampler_ != nullptr) sampler_->proto_destroyed(proto);
  tiers_->proto_destroyed(proto);
  if (profiler_ != nullptr) forget_function(*machine_, *profiler_, proto);
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
  stop_sampling();
  tiers_->finish();
  write_profile();
}

}  // namespace mangata
