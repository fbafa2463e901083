// Mangata in a C++ program: #include <mangata/mangata.hpp>, link mangata::mangata.
//
//   mangata::Engine engine;
//   mangata::State state(engine);
//   state["greet"] = [](std::string_view name) { return "hello, " + std::string(name); };
//   mangata::Result<std::string> text = state.run<std::string>("return greet('world')");
//
// Read next: state.hpp (what a state can do), result.hpp, handle.hpp and table.hpp (values), convert.hpp and containers.hpp (which
// types go both ways), object.hpp (classes), overload.hpp, limits.hpp, policy.hpp.
#pragma once

#include <mangata/state.hpp>
