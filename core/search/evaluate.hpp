// Scores, and the hand-written evaluation of positions.
#pragma once

#include "rules/position.hpp"

namespace noughts {

// Scores are integers for the side to move. A proven win in n plies from the root is win_in(n). Everything between
// -DECIDED and DECIDED is an estimate; from BELIEVED on, a win that a search with pruning found but did not prove.
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

// Whether a side could still complete a line (an outer line, where there are several blocks) if the other passed for
// the rest of the game. When neither can, and blocks are not counted, the game is a draw.
bool can_complete(const Position& position, Side side);

// The outcomes that the side to move could still reach by lines: a side without a line that it could complete cannot
// win (in misère: cannot lose). Only in games that do not count blocks.
struct Reach {
    bool win, loss;
};
Reach reach_of(const Position& position);

}  // namespace noughts
