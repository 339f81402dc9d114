// Exhaustive search on Position, for games of several blocks and for endings on boards of more than 64 cells.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "solve/exhaustive/exhaustive_search.hpp"

namespace noughts {

// The codes whose exclusive or is a key. Marks in closed blocks do not count, only the owners of the blocks.
//
// If they fit, keys are exact: two bits for each cell that was free in the position the search starts from, then the
// side to move and the block to play; everything else is the same in all its descendants. A closed block has 3 in its
// first cell and its owner in the second (a block of one free cell only the owner: once that is filled, the block is
// closed). Where won blocks stay open, the owner of each undecided block takes two bits more, and a mark in a decided
// block only counts as filled.
//
// If they do not fit (more than about 60 free cells), each code is 128 bits of two independent hashes, and a false hit
// is possible: its probability is about n^2 / 2^129 for n positions, less than 10^-18 for ten billion.
struct KeyCodes {
    using Key = WideTable::Key;

    explicit KeyCodes(const Position& start);

    Key of(const Position& position) const;
    // The key of a position, given the one before its last move.
    Key after_move(Key before, Side mover, int block_before, const Position& position) const;

    bool exact = false;
    std::array<std::vector<Key>, 3> marks;  // of X, of O, and of either in a decided block that is still open
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
