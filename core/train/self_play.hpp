// The engine plays against itself and writes rows, on which a network is trained: for every quiet position, in which
// no line can be completed or must be stopped, and in games of one block also for a quiet position after a random move,
// since searches meet such positions. Small games are also played on after their result is proven, with more random
// moves, so that the rows cover them.
//
// A file of rows begins with the header: "NNR2" and ten int32: cells, blocks, slots of a cell, kinds, states, views,
// length of a line and guarded (of strips), fingerprint of the game (two; zero if the kinds are those of every board
// with such strips). Then what the cells see, see search/line_features.hpp: two uint32 for each slot (its state on an
// empty board as X and as O sees it), five int32 for each view (the cell seen, the slot, the cell of the slot, what an
// own mark and what another's mark adds to the state), a uint16 for each state (its kind). Games of several blocks have
// no slots.
//
// A row has 16 bytes, then a byte for each cell and each block, all from the point of view of the side to move:
//   int32 score, int32 evaluation, int16 move, int16 ply, int8 result (1, 0, -1; 2: unknown), int8 block to play
//   (-1: any), uint8 rules, uint8 whether the score is proven; cells and blocks: 0 empty or undecided, 1 own, 2 the
//   opponent's, 3 dead.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "search/line_features.hpp"
#include "search/network.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// Which playthroughs, and how strong. Each depends on its number, the game, the seed, the nodes and the network alone.
struct SelfPlay {
    std::uint64_t first = 0;  // number of the first playthrough
    std::uint64_t count = 1;
    std::uint64_t seed = 1;
    std::uint64_t nodes = 5000;  // per move
    int threads = 1;
    NetworkChoice network = std::nullopt;
};

// Called with the rows of each playthrough, possibly none, in the order of their numbers; by one thread at a time.
using TakeRows = std::function<void(std::span<const char> rows)>;

std::vector<char> rows_header(const Game& game, LineFeatures::Scope scope);

// Plays until all playthroughs are played or `interrupt`, which is asked by the calling thread alone, returns true.
// Returns the number of playthroughs whose rows were taken. Throws std::system_error when a thread cannot be started,
// and std::invalid_argument when the network is not one for the game.
std::uint64_t self_play(const std::shared_ptr<const Game>& game, const SelfPlay& plan, const TakeRows& take,
                        const Interrupt& interrupt);

}  // namespace noughts
