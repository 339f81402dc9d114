// The choice of a network by Python callers of the engine, the tree search and self-play.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "python/binding.hpp"
#include "search/engine.hpp"

namespace noughts::python {

// Converts the argument: None chooses the network of the game, empty bytes choose none, other bytes are a network.
NetworkChoice network_choice(const std::optional<nb::bytes>& network);

}  // namespace noughts::python
