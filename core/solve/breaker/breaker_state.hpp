// States of the Maker-Breaker game: the lines that the maker can still complete, and the cells that it lacks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "rules/position.hpp"
#include "solve/static_draw/line_set.hpp"

namespace noughts {

// The maker tries to get all cells of a line, the breaker one cell of every line; lines of the breaker do not count. A
// line is dropped once the breaker has a cell of it. It is also dropped if the cells that it lacks include all those
// that another line lacks: completing the first completes the second. docs/proof-format.md gives the rules, under the
// claim `block`.
//
// For static games (Game::is_static) without guards, of at most one word of cells.
class BreakerState {
  public:
    static constexpr int MOST_LINES = LineSet::SIZE;
    enum class Outcome { OPEN, MAKER_WINS, BREAKER_WINS };
    using Weights = std::array<double, WORD_BITS>;  // by cell

    static bool can_represent(const Game& game) {
        return game.is_static() && !game.has_guards() && game.cells() <= WORD_BITS && game.lines() <= MOST_LINES;
    }
    // Starts with the lines that hold no mark of the breaker.
    BreakerState(const Position& position, Side maker);

    bool maker_moves() const { return maker_moves_; }
    std::span<const OpenLine> lines() const { return {lines_.data(), static_cast<std::size_t>(count_)}; }
    Word cells() const;  // the cells that some line lacks

    void play(int cell);    // a move of the side to move
    void give(Word cells);  // gives all these cells to the maker, who must be to move; then the breaker is to move
    void play_breaker(int cell);  // a move of the breaker, even if the maker is to move
    Outcome play_forced();        // plays the breaker's replies as long as a line lacks one cell
    Outcome outcome() const;      // without a search: looks at lines that lack at most one cell

    // Computes the Erdős-Selfridge weight of every cell, and returns the sum over all lines.
    double weigh(Weights& weights) const;
    // Removes each cell for which another cell lies on all lines through it: that cell is at least as good for either
    // side.
    Word undominated(Word cells) const;
    // The other cells that lie on all lines through this cell; each of them is at least as good as this cell.
    Word common_cells(int cell) const;

    // The state with each line's cells mapped by `image`, which must come from a symmetry of the game. The lines are
    // sorted by their cells and renumbered, so that symmetric states get equal images.
    template <typename Image>
    BreakerState image(Image&& image) const {
        BreakerState found = *this;
        for (int i = 0; i < count_; ++i) found.lines_[i].cells = image(lines_[i].cells);
        std::sort(found.lines_.begin(), found.lines_.begin() + count_,
                  [](const OpenLine& a, const OpenLine& b) { return a.cells < b.cells; });
        for (int i = 0; i < count_; ++i) found.lines_[i].number = static_cast<std::uint16_t>(i);
        return found;
    }

  private:
    void reduce(Word given);
    bool is_dominated(int cell) const;

    bool maker_moves_;
    int count_ = 0;
    std::array<OpenLine, MOST_LINES> lines_;
};

}  // namespace noughts
