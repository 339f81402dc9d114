// Scores, and the hand-written evaluation of positions.
#pragma once

#include "rules/position.hpp"

namespace noughts {

// Scores are integers for the side to move. A proven win in n plies from the root is win_in(n). Scores between -DECIDED
// and DECIDED are estimates; those from BELIEVED on are wins that a search with pruning found but did not prove.
inline constexpr int WIN = 1'000'000;
inline constexpr int INFINITE_SCORE = WIN + 1;  // beyond every score
inline constexpr int MAX_PLIES = 4096;
inline constexpr int DECIDED = WIN - MAX_PLIES;
inline constexpr int BELIEVED = DECIDED - 2 * MAX_PLIES;
inline constexpr int MOST_ESTIMATED = 500'000;

constexpr int win_in(int plies) { return WIN - plies; }
constexpr int loss_in(int plies) { return plies - WIN; }
constexpr bool is_decided(int score) { return score >= DECIDED || score <= -DECIDED; }
constexpr bool is_win(int score) { return score >= DECIDED; }
constexpr bool is_loss(int score) { return score <= -DECIDED; }

// The estimate for the side to move. The position must not be over.
int evaluate(const Position& position);

// Whether `side` could still complete a line (with several blocks: an outer line) if the other side passed for the rest
// of the game. If neither side can, and blocks are not counted, the game is a draw.
bool can_complete(const Position& position, Side side);

// The outcomes that the side to move can still reach: a side that can complete no line cannot win (in misère: cannot
// lose). Only for games that do not count blocks.
struct Reach {
    bool win, loss;
};
Reach reach_of(const Position& position);

}  // namespace noughts
