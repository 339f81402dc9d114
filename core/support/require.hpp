// Checks of arguments.
#pragma once

#include <stdexcept>
#include <string>

namespace noughts {

// Throws std::invalid_argument with the message unless the condition holds.
inline void require(bool holds, const std::string& message) {
    if (!holds) throw std::invalid_argument(message);
}

}  // namespace noughts
