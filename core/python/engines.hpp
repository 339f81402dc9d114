// Checks that the two searches share: their network, limits, and the facts about the root.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>
#include <utility>
#include <vector>

#include "python/binding.hpp"
#include "search/engine.hpp"

namespace noughts::python {

// None for the network of the game, no bytes for none, or the bytes of a network.
NetworkChoice network_choice(const std::optional<nb::bytes>& network);

// The spread of the scores of the chosen network for a game, 0 if it has none.
int network_spread(const Game& game, const NetworkChoice& choice);

void require_limits(const Position& position, double seconds, int depth, int lines);

// `known` are moves with their proven scores; each must be legal.
Root checked_root(const Position& position, const Symmetry* symmetry, const std::vector<std::pair<int, int>>& known,
                  bool prompt, double target);

}  // namespace noughts::python
