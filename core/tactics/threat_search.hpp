// Search for wins by threats alone, on boards of any size.
#pragma once

#include <vector>

#include "rules/position.hpp"
#include "tactics/threats.hpp"

namespace noughts {

// Searches for a win by an unbroken sequence of threats: each move makes a line lack one cell, so that each reply is
// forced, until two cells are lacking at once. Success is a proof. Failure is one only if `nodes` did not run out.
class ThreatSearch {
  public:
    explicit ThreatSearch(const Game& game);

    // The number of plies in which the side to move wins, or 0. At most `nodes` moves are tried. The position is left
    // as it was; the game must have one block and not be misère.
    int search(Position& position, int nodes);

    std::uint64_t played() const { return played_; }                 // moves made by the last search
    const std::vector<Cell>& sequence() const { return sequence_; }  // the last win found, both sides' moves

  private:
    int attack(Position& position, int depth);
    int attack_with_pairs(Position& position, int depth, const Threat& threat);
    int continue_after(Position& position, Cell cell, int depth);
    int try_move(Position& position, Cell cell, int depth);
    void find_candidates(const Position& position, std::vector<std::uint16_t>& cells);
    std::uint64_t moves_left() const { return limit_ - std::min(limit_, played_); }
    bool is_known_to_fail(std::uint64_t key);
    void remember_failure(std::uint64_t key, std::uint64_t left);

    bool simple_;  // neither gravity nor guards: a move threatens only the cells that it made completing
    std::vector<std::vector<std::uint16_t>> candidates_;  // per depth
    // Positions from which no sequence was found, each in one word, since most of the time here is spent on fetching
    // them. The lowest byte is the number of moves tried, or EVERYTHING; those bits of a key give the place in the
    // table.
    static constexpr std::size_t FAILURES = 1 << 14;
    static constexpr std::uint64_t EVERYTHING = 255;
    std::vector<std::uint64_t> failed_;
    bool remembers_unfinished_;              // also positions that were not searched to the end
    std::vector<std::uint16_t> times_seen_;  // per cell, zero between uses
    std::vector<Cell> sequence_;
    std::uint64_t played_ = 0;
    std::uint64_t limit_ = 0;
    bool cut_short_ = false;  // the limit was reached, so that failures prove nothing
};

// The cells in which a side must move that would lose to a sequence of threats if it passed: `sequence` was found with
// the opponent to move, and a move outside the zone loses to it. The zone holds every cell of the sequence, and the
// empty cells of every line by which the defender has or could get a threat on the way. Not for games with gravity,
// where a move also makes another cell playable. The position is left as it was; the attacker must be to move.
CellSet defence_zone(Position& position, const std::vector<Cell>& sequence);

}  // namespace noughts
