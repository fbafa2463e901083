// Runs a script as a host would, without limits or with all of them set so high that none is ever reached: what being armed costs.
//
//     bench/run.py --engine plain="build/release/bin/bench_limited plain" --base plain
//         --engine armed="build/release/bin/bench_limited armed" --engine fuel="build/release/bin/bench_limited fuel"
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <mangata/mangata.hpp>

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: bench_limited plain|armed|fuel SCRIPT [ARGUMENTS]\n", stderr);
    return 2;
  }
  mangata::Limits limits;
  if (std::strcmp(argv[1], "plain") != 0) {
    limits.memory_bytes = size_t{1} << 40;
    limits.timeout = std::chrono::hours(1);
  }
  if (std::strcmp(argv[1], "fuel") == 0) limits.fuel = uint64_t{1} << 62;
  mangata::Engine engine;
  mangata::State state(engine, {limits, {}});
  const mangata::Function run =
      state.load("local script = ... arg = {[0] = script, select(2, ...)} return assert(loadfile(script))(table.unpack(arg))", "=host").value();
  const auto result = argc > 3 ? run.call(argv[2], argv[3]) : run.call(argv[2]);
  if (!result) return std::fprintf(stderr, "%s\n", result.error().message.c_str()), 1;
}
