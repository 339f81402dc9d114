// What the two searches share: the choice of a network.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "python/binding.hpp"
#include "search/engine.hpp"

namespace noughts::python {

// None for the network of the game, no bytes for none, or the bytes of a network.
NetworkChoice network_choice(const std::optional<nb::bytes>& network);

}  // namespace noughts::python
