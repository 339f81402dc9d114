// Which kernels the networks use (kernels.hpp).
#pragma once

#include <string_view>
#include <vector>

#include "search/kernels.hpp"

namespace noughts {

// The kernels in use: the fastest of this machine, unless others were set.
const Kernels& kernels();

// The names of the instruction sets that this machine supports and has kernels for, the fastest first. The last is
// "portable", which is what the compiler makes of plain C++.
std::vector<std::string_view> instruction_sets();

// Uses the kernels for one of these from now on, in all threads. Throws std::invalid_argument for other names.
void set_instruction_set(std::string_view name);

}  // namespace noughts
