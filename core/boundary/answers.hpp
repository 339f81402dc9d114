// Answers to questions that other languages ask about positions; arguments are checked.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "boundary/checks.hpp"

namespace noughts::boundary {

// Takes the last move back and returns it. Throws std::invalid_argument if no move was made.
Cell take_back(Position& position);

// The empty cells that complete a line of a side; with `playable`, only those that may be filled now in some block.
std::vector<int> completing(const Position& position, Side side, bool playable);
std::vector<int> open_blocks(const Position& position);  // regardless of the block to which the last move sends
std::optional<Block> block_to_play(const Position& position);
bool same(const Position& a, const Position& b);

// Throws Interrupted.
std::uint64_t count_playthroughs(Position position, int depth, const Interrupt& interrupt);

struct BestMoves {
    int score = 0;
    std::vector<int> moves;
    std::uint64_t nodes = 0;
};
// See FixedDepthSearch::best_moves. Throws Interrupted.
BestMoves fixed_depth_best_moves(const Position& position, int depth, const Symmetry* symmetry, std::uint64_t nodes,
                                 const Interrupt& interrupt);

// The moves of both sides in a win by threats alone; empty if none was found within `nodes`.
std::vector<int> forced_win(Position position, int nodes);

struct ForkThreatWin {
    int plies = 0;
    std::vector<int> line;
};
ForkThreatWin fork_threat_win(Position position, int nodes);

// The static evaluation for the side to move.
int estimate(const Position& position, const NetworkChoice& network);

// The spread of the scores of the chosen network for a game; 0 if there is none.
int network_spread(const Game& game, const NetworkChoice& network);

}  // namespace noughts::boundary
