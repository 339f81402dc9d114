// Exhaustive search on Position, for games of several blocks and for endings on boards of more than 64 cells.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "solve/exhaustive/exhaustive_search.hpp"

namespace noughts {

// The codes of marks, owners and so on, whose exclusive or is the key of a position. Of a closed block only the owner
// counts, not the marks.
//
// If they fit, keys are exact: two bits for each cell that was free at the start of the search, then the side to move
// and the block to play; everything else is equal in all descendants of the start. A closed block has 3 in its first
// cell and its owner in the second (a block with one free cell has only the owner: it closes when that cell is filled).
// Where won blocks stay open, the owner of each undecided block takes two more bits, and a mark in a decided block only
// counts as filled.
//
// If they do not fit (more than about 60 free cells), each code is 128 bits of two independent hashes, and a false hit
// is possible: its probability is about n^2 / 2^129 for n positions, less than 10^-18 for ten billion.
struct KeyCodes {
    using Key = WideTable::Key;

    explicit KeyCodes(const Position& start);

    Key of(const Position& position) const;
    // The key of a position, computed from the key before its last move.
    Key after_move(Key before, Side mover, int block_before, const Position& position) const;

    bool exact = false;
    // Marks of X, of O, and of either side in a decided block that is still open.
    std::array<std::vector<Key>, 3> marks;
    std::vector<std::array<Key, 3>> owners;
    std::vector<Key> sends;
    Key turn;

  private:
    bool make_exact(const Position& start);
    void make_hashed(const Game& game);
    void add_decision(Key& key, int block, const Position& position, int but) const;
};

std::unique_ptr<ExhaustiveSearch> make_general_search(std::shared_ptr<const Game> game, std::size_t bytes);

}  // namespace noughts
