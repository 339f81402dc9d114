// Threats: cells that complete a line at once, and wins by threats alone.
#pragma once

#include <vector>

#include "rules/position.hpp"
#include "search/move_order.hpp"

namespace noughts {

// Whether completing a line at once wins for sure: not in misère.
inline bool completing_wins(const Game& game) { return !game.misere(); }

// A legal move that ends the game in favour of the side to move by completing a line (an outer line, where there are
// several blocks), or NO_CELL. The position must not be over.
int winning_move(const Position& position);

// What the opponent of the side to move could complete next, were it its turn: how many cells (2 stands for more), and
// one of them. Only for games of one block, where a threat can be carried out wherever it is.
struct Threat {
    int count = 0;
    int cell = NO_CELL;
};
Threat threat_against(const Position& position);

// Searches for a win by an unbroken chain of threats: each move makes a line lack one cell, so that each reply is
// forced, until two cells are lacking at once. Success is a proof. Failure proves nothing once `nodes` ran out.
class ForcedWin {
  public:
    explicit ForcedWin(const Game& game);

    // The plies in which the side to move wins, or 0. At most `nodes` moves are tried. The position is left as it was;
    // the game must have one block and not be misère.
    int search(Position& position, int nodes);

    std::uint64_t played() const { return played_; }        // moves made by the last search
    const std::vector<int>& line() const { return line_; }  // the last win found, both sides' moves

  private:
    int attack(Position& position, int depth);
    int go_on(Position& position, int depth, const Threat& threat);
    int keep_forcing(Position& position, int cell, int depth);
    int try_move(Position& position, int cell, int depth);
    void find_candidates(const Position& position, std::vector<std::uint16_t>& cells);
    bool known_to_fail(std::uint64_t key) const { return failed_[key & (failed_.size() - 1)] == key; }

    bool simple_;  // neither gravity nor guards: what a move makes completing is all that it threatens
    std::vector<std::vector<std::uint16_t>> candidates_;  // per depth of the chain
    std::vector<std::uint64_t> failed_;                   // keys of positions from which no chain was found
    std::vector<std::uint8_t> times_seen_;                // per cell, zero between uses
    std::vector<int> line_;
    std::uint64_t played_ = 0;
    std::uint64_t limit_ = 0;
    bool cut_short_ = false;
};

// What the opponent of the side to move could do next: fill a cell that two of its pairs (lines it lacks two cells of)
// have in common, and so threaten to complete a line in two places. Only a move that leaves no such cell, or makes a
// threat itself, does not lose to that at once. Not for games with gravity, where a cell may be out of reach.
class ForkDefence {
  public:
    explicit ForkDefence(const Game& game) : times_seen_(game.cells()), replies_(game.words()) {}

    // Whether there is such a fork to prevent; if so, replies() are the moves that do not lose within four plies. The
    // side to move must be able to complete nothing, nor its opponent.
    bool find(const Position& position);
    std::span<const Word> replies() const { return replies_; }
    bool has_reply() const { return has_reply_; }

  private:
    struct Pair {
        std::uint16_t a, b;
        bool operator==(const Pair&) const = default;
    };
    void find_pairs(const Position& position, Side side);
    bool prevents_all(int cell) const;
    void add_reply(int cell) { replies_[cell >> 6] |= Word{1} << (cell & 63), has_reply_ = true; }

    std::vector<Pair> pairs_;               // the opponent's, each once
    std::vector<std::uint8_t> times_seen_;  // per cell, in how many pairs; zero between uses
    std::vector<Word> replies_;
    bool has_reply_ = false;
};

// Where a side that would lose to a chain of threats, were it to pass, must move: the chain was found with the opponent
// to move. A move anywhere else loses to the same chain. The zone holds every cell of the chain, and the empty cells of
// every line by which the defender gets, or could get, to threaten something itself on the way. Not for games with
// gravity, where a move also makes another cell playable. `zone` is a set of cells, one bit each.
void find_zone(Position& position, const std::vector<int>& chain, std::vector<Word>& zone);

}  // namespace noughts
