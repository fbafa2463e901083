// The smallest host: a function of C++ called by Lua, and a result back.
#include <iostream>
#include <mangata/mangata.hpp>

int main() {
  mangata::Engine engine;
  mangata::State state(engine);
  state["greet"] = [](std::string_view name) { return "hello, " + std::string(name); };
  const mangata::Result<std::string> text = state.run<std::string>("return greet('world') .. '!'");
  if (!text) return std::cerr << text.error().message << "\n", 1;
  std::cout << *text << "\n";
}
