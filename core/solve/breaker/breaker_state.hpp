// States of a Maker-Breaker game: the lines that one side can still complete, without all else on the board.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "rules/position.hpp"
#include "solve/static_draw/line_set.hpp"

namespace noughts {

// The maker wants all cells of a line, the breaker a cell of each line, and the breaker's own lines do not count. A
// line is gone once the breaker has a cell of it, and so is a line that lacks all the cells that another one lacks: who
// completes it completes the other. docs/proofs.md has the rules, as those of the claim `block`.
//
// For static games without guards, of at most one word of cells, see Game::is_static.
class BreakerState {
  public:
    static constexpr int MOST_LINES = LineSet::SIZE;
    enum class Outcome { OPEN, MAKER_WINS, BREAKER_WINS };
    using Weights = std::array<double, WORD_BITS>;  // by cell

    static bool can_represent(const Game& game) {
        return game.is_static() && !game.has_guards() && game.cells() <= WORD_BITS && game.lines() <= MOST_LINES;
    }
    // The lines without a mark of the breaker.
    BreakerState(const Position& position, Side maker);

    bool maker_moves() const { return maker_moves_; }
    std::span<const OpenLine> lines() const { return {lines_.data(), static_cast<std::size_t>(count_)}; }
    Word cells() const;  // that some line lacks

    void play(int cell);          // by the side to move
    void give(Word cells);        // to the maker, who was to move; then the breaker is
    void play_breaker(int cell);  // by the breaker, even if the maker is to move
    Outcome play_forced();        // the breaker's replies to lines that lack one cell
    Outcome outcome() const;      // without a search: by lines that lack one cell at most

    // The Erdős-Selfridge weights of the cells; returns that of all lines.
    double weigh(Weights& weights) const;
    // Leaves out cells that are on no line without another one, which is as good for either side.
    Word undominated(Word cells) const;
    // The cells, apart from this one, that are on all lines through it. Each is at least as good as this one.
    Word common_cells(int cell) const;

    // The state with `image(cells)` for the cells of each line, as a symmetry of the game makes of it, in an order that
    // depends on these alone. The numbers of the lines are lost.
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
