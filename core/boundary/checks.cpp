#include "boundary/checks.hpp"

#include <cmath>

#include "search/evaluate.hpp"

namespace noughts::boundary {
namespace {

// Checks a move with a known value before it is added to the root: it must be legal, proven and new.
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

void require_running(const Position& position) {
    require(!position.is_over(), "expected a position to move in, but the game is over");
}

void require_seconds(double seconds) {
    require(std::isfinite(seconds) && seconds >= 0,
            "expected seconds as a finite number from 0 (no limit), got " + std::to_string(seconds));
}

void require_symmetry_of(const Position& position, const Symmetry& symmetry) {
    require(symmetry.belongs_to(position.game()),
            "expected the symmetries of the position's own game, got those of another");
}

Side side_from(int number) {
    require(number == index(X) || number == index(O),
            "expected a side as 0 (X) or 1 (O), got " + std::to_string(number));
    return side_at(number);
}

int checked_threads(int threads) {
    require_range("threads", threads, 1, MAX_THREADS);
    return threads;
}

std::size_t checked_megabytes(std::size_t megabytes) {
    require_range<std::size_t>("megabytes", megabytes, 1, MAX_MEGABYTES);
    return megabytes;
}

void require_limits(const Position& position, double seconds, int depth, int lines) {
    require_running(position);
    require_seconds(seconds);
    require_range("depth", depth, 0, MAX_CELLS);
    require_range("lines", lines, 1, position.game().cells());
}

Root checked_root(const Position& position, const Symmetry* symmetry, std::span<const std::pair<int, int>> known,
                  bool prompt, double target) {
    require_seconds(target);
    if (symmetry) require_symmetry_of(position, *symmetry);
    Root root{symmetry, {}, prompt, target};
    for (auto [move, score] : known) root.known.push_back(known_move(position, root, move, score));
    return root;
}

void require_solvable(const Position& position, const Symmetry& symmetry) {
    require_running(position);
    require_symmetry_of(position, symmetry);
}

void require_solved(const Solver& solver) {
    require(solver.is_solved(), "expected a position that is solved, but its value is not known yet");
}

void require_same_game(const Solver& solver, const Position& position) {
    require_running(position);
    require(solver.is_of(position.game()), "expected a position of the solver's own game, got one of another");
}

}  // namespace noughts::boundary
