// The choice of the kernels (kernels.hpp) that networks use.
#pragma once

#include <string_view>
#include <vector>

#include "search/kernels.hpp"

namespace noughts {

// The kernels in use: the fastest that this machine supports, unless set_instruction_set chose others.
const Kernels& kernels();

// The names of the instruction sets that this machine supports and for which there are kernels, the fastest first. The
// last is "portable": plain C++.
std::vector<std::string_view> instruction_sets();

// Chooses the kernels of one of instruction_sets() for all threads. Throws std::invalid_argument for other names.
void set_instruction_set(std::string_view name);

}  // namespace noughts
