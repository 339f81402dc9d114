// Checks of arguments that come from other languages.
//
// The core asserts its preconditions. Python and JavaScript call it through these checks, so that none of their calls
// can violate a precondition. All checks throw std::invalid_argument.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "rules/position.hpp"
#include "rules/symmetry.hpp"
#include "search/engine.hpp"
#include "solve/solver.hpp"
#include "support/require.hpp"

namespace noughts::boundary {

inline constexpr int MAX_THREADS = 256;
// On a 32-bit machine, half of the address space.
inline constexpr std::size_t MAX_MEGABYTES = std::min<std::uint64_t>(std::uint64_t{1} << 20, SIZE_MAX >> 21);

template <typename Number>
void require_range(const char* what, Number value, Number low, Number high) {
    require(low <= value && value <= high, std::string("expected ") + what + " from " + std::to_string(low) + " to " +
                                               std::to_string(high) + ", got " + std::to_string(value));
}

void require_running(const Position& position);
void require_seconds(double seconds);
void require_symmetry_of(const Position& position, const Symmetry& symmetry);
Side side_from(int number);  // 0 for X, 1 for O

// Checks for searches.
int checked_threads(int threads);
std::size_t checked_megabytes(std::size_t megabytes);
void require_limits(const Position& position, double seconds, int depth, int lines);
// `known` lists moves with their proven scores; each must be legal.
Root checked_root(const Position& position, const Symmetry* symmetry, std::span<const std::pair<int, int>> known,
                  bool prompt, double target);

// Checks for solvers.
void require_solvable(const Position& position, const Symmetry& symmetry);
void require_solved(const Solver& solver);
void require_same_game(const Solver& solver, const Position& position);

}  // namespace noughts::boundary
