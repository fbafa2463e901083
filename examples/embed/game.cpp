// A game-like host: scripts move its objects, frame by frame, and a frame has a deadline. A script that takes too long loses its
// frame; the game goes on.
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include <mangata/mangata.hpp>

namespace {

struct Ship {
  std::string name;
  double x = 0, y = 0, heading = 0;
  void thrust(double distance) {
    x += distance * std::cos(heading);
    y += distance * std::sin(heading);
  }
};

constexpr const char* kScript = R"(
local pilots = {
  steady = function(ship, frame) ship:thrust(1) end,
  circling = function(ship, frame) ship.heading = ship.heading + 0.1 ship:thrust(2) end,
  lost = function(ship, frame) if frame % 3 == 2 then while true do pcall(error) end end ship:thrust(3) end,
}
function update(ship, frame) pilots[ship.name](ship, frame) end
)";

}  // namespace

int main() {
  mangata::Engine engine;
  mangata::State state(engine, {.limits = {.memory_bytes = size_t{16} << 20, .timeout = std::chrono::milliseconds(4)},
                                .sandbox = {.libraries = mangata::Library::kSafe}});
  state.bind<Ship>("Ship")
      .readonly_field("name", &Ship::name)
      .field("x", &Ship::x)
      .field("y", &Ship::y)
      .field("heading", &Ship::heading)
      .method("thrust", &Ship::thrust)
      .result()
      .value();
  state.run(kScript, "=pilots").value();
  const mangata::Function update = state["update"].get<mangata::Function>().value();
  std::vector<std::shared_ptr<Ship>> ships;
  for (const char* name : {"steady", "circling", "lost"}) ships.push_back(std::make_shared<Ship>(Ship{name}));
  for (int frame = 0; frame < 6; ++frame) {
    for (const auto& ship : ships) {
      if (const auto result = update.call<>(ship, frame); !result) {
        std::printf("frame %d: %s: %s\n", frame, ship->name.c_str(), result.error().message.c_str());
      }
    }
  }
  for (const auto& ship : ships) std::printf("%s is at (%.2f, %.2f)\n", ship->name.c_str(), ship->x, ship->y);
}
