// Local search for pairs of cells, and possibly one larger set, that together stop all lines of the maker.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solve/static_draw/line_set.hpp"
#include "solve/static_draw/set_game.hpp"
#include "solve/static_draw/set_matching.hpp"

namespace noughts {

// For games of at most one word of cells. The pairs are disjoint. Each step gives a pair to a line that has none,
// choosing the pair that takes the fewest pairs from other lines. If only one or two lines are left over, the pairs in
// their way become one larger set, in which the game is played out. This finds far more than SetMatching, which forms
// groups of lines once and for all, but takes longer. docs/proof-format.md gives the rules.
class PairingSearch {
  public:
    using ByCell = std::array<int, WORD_BITS>;

    // Whether sets were found that stop these lines, of which there may be LineSet::SIZE, in at most `steps` steps. A
    // failure proves nothing. The search begins with the pairs of the last one, as far as they lie on a line.
    bool find(std::span<const OpenLine> lines, int steps);
    // Makes the next search independent of earlier ones.
    void reset();

    // --- after a success ---
    Word needed() const { return paired_ | set_; }  // the cells of all pairs and of the larger set
    std::vector<std::vector<int>> sets() const;
    // --- after any search ---
    int shortfall() const { return shortfall_; }  // the fewest lines left over after any step
    // By cell: how often a line through it was left over when few lines were.
    const ByCell& misses() const { return misses_; }

  private:
    static constexpr int MOST_CELLS = SetMatching::MOST_CELLS;  // of the larger set
    static constexpr std::uint32_t FIRST_RANDOM = 12345;

    struct Pair {
        int a, b;
    };

    bool load(std::span<const OpenLine> lines);
    void add(Pair pair);
    void remove_pair_of(int cell);
    bool is_paired(int cell) const { return contains(paired_, cell); }
    LineSet lines_of_pair(int cell) const { return through_[cell] & through_[partner_[cell]]; }
    void note_misses();
    void improve();
    Pair random_pair(Word cells);
    Pair best_pair(Word cells);
    int cost(Pair pair) const;
    bool form_set();
    bool set_holds(Word set);
    void remove_unneeded_pairs();
    std::uint32_t draw(std::uint32_t count);

    std::span<const OpenLine> lines_;
    std::array<LineSet, WORD_BITS> through_;  // by cell
    ByCell partner_{};                        // the other cell of the pair, by cell
    Word paired_ = 0, set_ = 0;
    std::array<std::uint8_t, LineSet::SIZE> pairs_on_{};  // number of pairs on each line
    LineSet left_over_, stopped_once_;                    // lines without a pair, and lines with exactly one
    int shortfall_ = 0;
    ByCell misses_{};
    std::uint32_t random_ = FIRST_RANDOM;
    SetGame game_;
};

}  // namespace noughts
