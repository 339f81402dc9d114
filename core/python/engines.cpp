#include "python/engines.hpp"

#include <algorithm>

#include "search/evaluate.hpp"

namespace noughts::python {
namespace {

// Checks a move whose value is known, before it is added to the root: it must be legal, proven and new.
Root::Known known_move(const Position& position, const Root& root, int move, int score) {
    require(move >= 0 && move < position.game().cells() && position.is_legal(move),
            "expected legal moves as known, got " + std::to_string(move));
    require(score == 0 || (is_decided(score) && score >= -WIN && score <= WIN),
            "expected a proven score, got " + std::to_string(score));
    const bool is_new = std::ranges::none_of(root.known, [move](const auto& known) { return known.move == move; });
    require(is_new, "expected each known move once, got " + std::to_string(move) + " again");
    return {move, score};
}

}  // namespace

NetworkChoice network_choice(const std::optional<nb::bytes>& network) {
    if (!network) return std::nullopt;
    const auto* bytes = static_cast<const std::uint8_t*>(network->data());
    return std::vector<std::uint8_t>(bytes, bytes + network->size());
}

int network_spread(const Game& game, const NetworkChoice& choice) {
    const auto network = network_of(game, choice);
    return network ? network->spread() : 0;
}

void require_limits(const Position& position, double seconds, int depth, int lines) {
    require_running(position);
    require_seconds(seconds);
    require_range("depth", depth, 0, MAX_CELLS);
    require_range("lines", lines, 1, position.game().cells());
}

Root checked_root(const Position& position, const Symmetry* symmetry, const std::vector<std::pair<int, int>>& known,
                  bool prompt, double target) {
    require_seconds(target);
    if (symmetry) require_symmetry_of(position, *symmetry);
    Root root{symmetry, {}, prompt, target};
    for (auto [move, score] : known) root.known.push_back(known_move(position, root, move, score));
    return root;
}

}  // namespace noughts::python
