#include "python/network_choice.hpp"

namespace noughts::python {

NetworkChoice network_choice(const std::optional<nb::bytes>& network) {
    if (!network) return std::nullopt;
    const auto* bytes = static_cast<const std::uint8_t*>(network->data());
    return std::vector<std::uint8_t>(bytes, bytes + network->size());
}

}  // namespace noughts::python
