// Self-play: the engine plays against itself and writes rows for training a network. There is a row for every quiet
// position, in which no line can be completed or must be stopped. In games of one block there is also a row for a quiet
// position after a random move, because searches meet such positions. Small games are continued after their result is
// proven, with more random moves, so that the rows cover them.
//
// Lasting playthroughs (`SelfPlay::lasting`) teach what balanced play on crowded boards needs. They begin with an
// opening that a search finds even and have no random moves after it. Every other one is played against an opponent
// with another evaluation, which reaches other positions; its result is left unknown, since it tells who played. A
// position whose evaluation the search refutes is searched again with more nodes, and its row is written several times.
//
// A file of rows begins with the header: "NNR2" and ten int32: cells, blocks, slots of a cell, kinds, states, views,
// length of a line and guarded (of strips), fingerprint of the game (two; zero if the kinds are valid for every board
// with such strips). The line features follow (search/line_features.hpp): two uint32 for each slot (its state on an
// empty board from the view of X and of O), five int32 for each view (the cell seen, the slot, the cell of the slot,
// the amounts that an own mark and a mark of the opponent add to the state), a uint16 for each state (its kind). Games
// of several blocks have no slots.
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

// The playthroughs to play, and their strength. Each playthrough depends only on its number, the game, the seed, the
// nodes and the network.
struct SelfPlay {
    std::uint64_t first = 0;  // number of the first playthrough
    std::uint64_t count = 1;
    std::uint64_t seed = 1;
    std::uint64_t nodes = 5000;  // for each move
    int threads = 1;
    NetworkChoice network = std::nullopt;

    bool lasting = false;               // for games of one block; nodes are then counted without the moves of chains
    std::uint64_t deep_nodes = 10'000;  // for a position whose evaluation is refuted
    std::vector<NetworkChoice> opponents{};  // the evaluations of opponents; may be empty
};

// Called with the rows of each playthrough, possibly none, in the order of their numbers, by one thread at a time.
using TakeRows = std::function<void(std::span<const char> rows)>;

std::vector<char> rows_header(const Game& game, LineFeatures::Scope scope);

// Plays until all playthroughs are finished or `interrupt` returns true, which only the calling thread polls. Returns
// the number of playthroughs whose rows were taken. Throws std::system_error if a thread cannot be started, and
// std::invalid_argument if the network does not fit the game.
std::uint64_t self_play(const std::shared_ptr<const Game>& game, const SelfPlay& plan, const TakeRows& take,
                        const Interrupt& interrupt);

}  // namespace noughts
