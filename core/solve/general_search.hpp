// Exhaustive search on Position, for games of several blocks and for endings on boards of more than 64 cells.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "solve/exhaustive_search.hpp"

namespace noughts {

// What a key is put together from, by exclusive or. Marks in closed blocks do not count, only who won them.
//
// Where they fit, keys are exact: two bits for each cell that was free in the position the search starts from, then
// whose turn it is and the block to play; everything else is the same in all positions that come from that one. A block
// that is closed has 3 in its first cell and its owner in the second (a block of one free cell only the owner: it
// cannot be anything but closed when that is filled). Where won blocks stay open, the owner of each undecided block
// takes two bits more, and a mark in a decided block only counts as filled.
//
// Where they do not fit (more than about 60 free cells), each code is 128 bits of two hashes that have nothing to do
// with each other, and a false hit is not impossible: its chance is about n^2 / 2^129 for n positions, less than one in
// 10^18 for ten thousand million.
struct KeyCodes {
    using Key = WideTable::Key;

    explicit KeyCodes(const Position& start);

    Key of(const Position& position) const;
    // The key of a position, given the one before its last move.
    Key after_move(Key before, Side mover, int block_before, const Position& position) const;

    bool exact = false;
    std::array<std::vector<Key>, 3> marks;  // X's, O's, and anybody's in a decided block that is still open
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
