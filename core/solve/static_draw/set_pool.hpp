// A pool of small sets of cells, each of which stops many lines of a game.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "rules/game.hpp"
#include "rules/symmetry.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// A set of cells and the lines that it stops: if the breaker answers each move of the maker within the set, it gets a
// cell of each of the lines.
struct StoppingSet {
    std::vector<std::uint16_t> lines, cells;
};

// Sets are found by trial: take some lines of a plane and the cells in which they cross, drop cells as long as the
// breaker still stops all lines, then add the lines that are stopped as well. Sets with more than seven cells for five
// lines are discarded. For example, eight lines of a plane of the 6 x 6 x 6 cube need only ten cells.
class SetPool {
  public:
    using Number = std::uint16_t;          // number of a cell or a line
    static constexpr int MOST_CELLS = 12;  // of a set

    // The symmetry must outlive this object.
    SetPool(const Game& game, const Symmetry& symmetry);

    // Makes the pool on the first call. Returns false if the limit ended the work.
    bool fill(WorkLimit& limit);
    bool is_empty() const { return by_kind_.empty(); }
    // Draws a random set of the pool, mapped by a random symmetry. The pool must not be empty.
    void draw(std::mt19937& random, StoppingSet& set) const;

  private:
    static constexpr std::size_t MOST_IMAGES = 1 << 22;  // limit for the table of line images, in all

    bool choose_lines();
    void choose_flat(int line, int other);
    void choose_cells();
    void leave_out_cells();
    void add_lines();
    void keep();
    Word part_of(int line) const;
    bool breaker_wins(const std::vector<Word>& parts) const;
    int draw_number(std::size_t count) { return static_cast<int>(random_() % count); }

    const Game& game_;
    const Symmetry& symmetry_;
    std::vector<std::vector<Number>> line_images_;  // by symmetry, by line
    std::map<std::pair<std::size_t, std::size_t>, std::vector<StoppingSet>>
        by_kind_;  // by the numbers of lines and cells
    std::vector<const std::vector<StoppingSet>*> kinds_;
    std::mt19937 random_;
    int tries_ = 0;

    // The set under construction:
    std::vector<Number> flat_;    // lines of the plane
    std::vector<Number> lines_;   // the chosen lines
    std::vector<int> crossings_;  // by cell: how many of the chosen lines pass through it
    std::vector<Number> cells_;   // at most one word
    std::vector<Word> parts_;     // the part of each line within the cells
};

}  // namespace noughts
