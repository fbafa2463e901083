// A server-like host: scripts from strangers run on several threads, each request in a state of its own, under limits of memory, time
// and fuel, without files, processes, or globals they could change. Whatever they do, the server answers the next one.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include <mangata/mangata.hpp>

namespace {

struct Request {
  const char* what;
  const char* script;
};

constexpr Request kRequests[] = {
    {"sum", "local sum = 0 for i = 1, 1000000 do sum = sum + i end return sum"},
    {"words", "local n = 0 for _ in ('the quick brown fox'):gmatch('%a+') do n = n + 1 end return n"},
    {"endless", "while true do pcall(error) end"},
    {"greedy", "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end"},
    {"pattern", "return (('a'):rep(5000)):find(('a-'):rep(40) .. 'b')"},
    {"recursion", "local function f(n) return 1 + f(n + 1) end return f(0)"},
    {"files", "return io.open('/etc/passwd')"},
    {"vandal", "string.format = nil"},
};

std::string answer(const mangata::Engine& engine, const Request& request) {
  const mangata::StateOptions options = {
      .limits = {.memory_bytes = size_t{8} << 20, .timeout = std::chrono::milliseconds(250), .fuel = 50'000'000},
      .sandbox = mangata::Sandbox::strict()};
  mangata::State state(engine, options);
  const auto result = state.run<mangata::Value>(request.script, "=" + std::string(request.what));
  if (!result) return "error: " + result.error().message;
  return result->to_string().value_or("?");
}

}  // namespace

int main() {
  constexpr int kThreads = 4, kRounds = 4;
  mangata::Engine engine;
  std::atomic<int> next{0};
  std::mutex output;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      constexpr int kCount = static_cast<int>(std::size(kRequests));
      for (int n = next++; n < kRounds * kCount; n = next++) {
        const std::string text = answer(engine, kRequests[n % kCount]);
        if (n >= kCount) continue;  // the first round is shown
        const std::lock_guard lock(output);
        std::printf("%s: %s\n", kRequests[n].what, text.c_str());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("%d requests answered\n", kRounds * static_cast<int>(std::size(kRequests)));
}
