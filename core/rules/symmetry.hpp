// The permutations of cells that keep a game: found from its data, whatever its shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/game.hpp"
#include "rules/position.hpp"
#include "support/work_limit.hpp"

namespace noughts {

using Permutation = std::vector<std::uint16_t>;  // permutation[cell] is where the cell goes

inline constexpr std::size_t MAX_SYMMETRIES = 10000;  // that are listed

class Symmetry {
  public:
    // Finds generators and the order of the whole group, then lists its elements. A group of more than `limit`
    // elements is not listed: the subgroup spanned by `geometric` is used instead (candidates that do not keep the
    // game are dropped), and note() says so. The search takes a fixed number of steps at most, about a second's worth.
    // Throws Interrupted when `interrupt`, which is asked every ten milliseconds or so, says true.
    Symmetry(const Game& game, const std::vector<Permutation>& geometric, std::size_t limit = MAX_SYMMETRIES,
             const Interrupt& interrupt = {});

    // Whether these are the symmetries of this game: the caller must check it before asking about a position.
    bool belongs_to(const Game& game) const;

    // The order of the whole group is the product of these; empty when the search was given up.
    const std::vector<int>& orbit_sizes() const { return orbit_sizes_; }
    const std::vector<Permutation>& generators() const { return generators_; }
    const std::vector<Permutation>& elements() const { return elements_; }  // the identity first
    const std::string& note() const { return note_; }                       // empty when the whole group is used

    // Where a symmetry takes blocks.
    const std::vector<std::vector<std::uint8_t>>& block_elements() const { return block_elements_; }

    // The least hash over all symmetric images: equal for symmetric positions.
    std::uint64_t canonical_hash(const Position& position) const;

    // The least of all symmetric images by its marks (NOBODY before X before O), then by where to play and whose the
    // blocks are.
    struct Image {
        std::vector<int> marks;
        int block_to_play;        // or -1
        std::vector<int> owners;  // X, O or NOBODY; empty where there is one block
        std::size_t
            element;  // elements()[element][cell] is the cell of the position that a cell of the image stands for
    };
    Image least_image(const Position& position) const;

    std::size_t bytes() const;  // what the symmetries occupy

  private:
    using BlocksImage = std::pair<int, std::vector<int>>;
    BlocksImage blocks_of_image(const Position& position, std::size_t symmetry) const;

    std::uint64_t fingerprint_;
    int cells_, blocks_;
    std::vector<int> orbit_sizes_;
    std::vector<Permutation> generators_, elements_;
    std::vector<std::vector<std::uint8_t>> block_elements_;
    std::string note_;
};

// True when the permutation maps lines to lines, and keeps guards, blocks, sends and what rests on what.
bool keeps_game(const Game& game, const Permutation& permutation);

}  // namespace noughts
