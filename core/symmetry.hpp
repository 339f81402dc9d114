// The permutations of cells that keep a game: found from its data, whatever its shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game.hpp"
#include "position.hpp"

namespace noughts {

using Permutation = std::vector<std::uint16_t>;  // permutation[cell] is where the cell goes

class Symmetry {
   public:
    // Finds generators and the order of the whole group, then lists its elements. A group of more than `limit`
    // elements is not listed: the subgroup spanned by `geometric` is used instead (candidates that do not keep the
    // game are dropped), and note() says so.
    Symmetry(const Game& game, const std::vector<Permutation>& geometric, std::size_t limit = 10000);

    // The order of the whole group is the product of these; empty when the search was given up.
    const std::vector<int>& orbit_sizes() const { return orbit_sizes_; }
    const std::vector<Permutation>& generators() const { return generators_; }
    const std::vector<Permutation>& elements() const { return elements_; }  // the identity first
    const std::string& note() const { return note_; }                       // empty when the whole group is used

    // Where a symmetry takes blocks.
    const std::vector<std::vector<std::uint8_t>>& block_elements() const { return block_elements_; }

    // The least hash over all symmetric images: equal for symmetric positions.
    std::uint64_t canonical_hash(const Position& position) const;

   private:
    std::vector<int> orbit_sizes_;
    std::vector<Permutation> generators_, elements_;
    std::vector<std::vector<std::uint8_t>> block_elements_;
    std::string note_;
};

// True when the permutation maps lines to lines, and keeps guards, blocks, sends and what rests on what.
bool keeps_game(const Game& game, const Permutation& permutation);

}  // namespace noughts
