// Search for wins by threats alone, on boards of any size.
#pragma once

#include <vector>

#include "rules/position.hpp"
#include "tactics/threats.hpp"

namespace noughts {

// Searches for a win by an unbroken sequence of threats: each move makes a line lack one cell, so that each reply is
// forced, until a move makes two threats. Success is a proof. Failure is a proof only if `nodes` did not run out.
class ThreatSearch {
  public:
    explicit ThreatSearch(const Game& game);

    // Returns the number of plies in which the side to move wins, or 0. Tries at most `nodes` moves. The position is
    // restored; its game must have one block and not be misère.
    int search(Position& position, int nodes);

    std::uint64_t played() const { return played_; }                 // moves made by the last search
    const std::vector<Cell>& sequence() const { return sequence_; }  // the moves of both sides in the last win

  private:
    int attack(Position& position, int depth);
    int attack_with_pairs(Position& position, int depth, const Threat& threat);
    int continue_after(Position& position, Cell cell, int depth);
    int try_move(Position& position, Cell cell, int depth);
    void find_candidates(const Position& position, std::vector<std::uint16_t>& cells);
    std::uint64_t moves_left() const { return limit_ - std::min(limit_, played_); }
    bool is_known_to_fail(std::uint64_t key);
    void remember_failure(std::uint64_t key, std::uint64_t left);

    bool simple_;  // neither gravity nor guards: the only threats after a move are on cells that it made completing
    std::vector<std::vector<std::uint16_t>> candidates_;  // by depth
    // Positions in which no sequence was found, one word each, since fetching them takes most of the time. The lowest
    // byte holds the number of moves tried, or EVERYTHING; in a key, these bits select the place in the table.
    static constexpr std::size_t FAILURES = 1 << 14;
    static constexpr std::uint64_t EVERYTHING = 255;
    std::vector<std::uint64_t> failed_;
    bool remembers_unfinished_;              // whether positions that were not searched completely are remembered too
    std::vector<std::uint16_t> times_seen_;  // by cell; zero between calls
    std::vector<Cell> sequence_;
    std::uint64_t played_ = 0;
    std::uint64_t limit_ = 0;
    bool cut_short_ = false;  // whether the limit was reached, so that failures prove nothing
};

// The cells in which the defender must move, if it would lose to `sequence` by passing: any move outside the zone loses
// to the same sequence. The zone holds every cell of the sequence, and the empty cells of every line by which the
// defender has or could get a threat on the way. `sequence` must be a win found with the attacker to move, and the
// attacker must be to move in `position`, which is restored. Not for games with gravity, where a move makes another
// cell playable.
CellSet defence_zone(Position& position, const std::vector<Cell>& sequence);

}  // namespace noughts
