// Search for wins by threats and by threats of a fork.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.hpp"
#include "support/huge_pages.hpp"
#include "tactics/fork_defence.hpp"
#include "tactics/threat_map.hpp"

namespace noughts {

// Searches for a win by moves that threaten to complete a line, which leaves one reply, or to make a fork, to which
// ForkDefence finds all replies. Success is a proof; failure means only that no such sequence was found.
//
// This is depth-first proof-number search: a position with the attacker to move is won if one of its attacks wins, a
// position with the defender to move if all of its replies lose. The table is kept, so that a search with a larger
// budget continues where the last one ended. Of the entries that searches of other positions left, only settled ones
// count: open numbers tell how hard a position is compared with the positions beside it in the same search, and numbers
// from elsewhere can keep the winning attack behind another one for good. For games with a threat map.
class ForkThreatSearch {
  public:
    static constexpr std::size_t TABLE_ENTRIES = std::size_t{1} << 18;

    // `entries` must be a power of two.
    explicit ForkThreatSearch(const Game& game, std::size_t entries = TABLE_ENTRIES);

    // Returns an upper bound of the plies in which the side to move wins, or 0 if no win was found. Tries at most
    // `nodes` moves, including those of earlier searches of the same position. `map` must be the map of the position;
    // both are restored.
    int search(Position& position, ThreatMap& map, int nodes);

    std::uint64_t played() const { return played_; }  // moves made by the last search
    Cell move() const { return move_; }               // the first move of the last win
    // The winning move in a position of the last win; NO_CELL if its table entry was replaced.
    Cell winning_attack(const Position& position) const;
    // The moves of both sides in the last win, as far as the table has them; the replies are those that last longest.
    std::vector<Cell> sequence(Position& position);

  private:
    using Number = std::uint32_t;
    static constexpr Number INFINITE = 1u << 30;

    // The numbers of leaves that must still be won to prove a position, and refuted to disprove it. 0 means that it is
    // proved or disproved.
    struct Numbers {
        Number proof = 1, disproof = 1;
        std::uint16_t plies = 0;  // if proved: upper bound of the plies to the end

        bool is_settled() const { return proof == 0 || disproof == 0; }
        void prove(int within) { *this = {0, INFINITE, static_cast<std::uint16_t>(within)}; }
        void refute() { *this = {INFINITE, 0, 0}; }
    };
    using Generation = std::uint16_t;
    struct Entry {
        std::uint64_t key = 0;
        Numbers numbers;
        std::int16_t move = NO_CELL;  // if proved, with the attacker to move: the winning move
        Generation generation = 0;    // that of the search that stored the entry
        std::uint32_t work = 0;       // number of moves tried below the position
    };
    struct Child {
        Cell move;
        Numbers numbers;
    };
    // A node; its moves lie on a stack from `first` on.
    struct Node {
        std::size_t first;
        bool attacks;             // whether the attacker is to move
        int plies_otherwise = 0;  // upper bound of the plies in which the defender's other moves lose
    };
    // The child to search next, with its thresholds.
    struct Choice {
        std::size_t child;
        Number second;  // of the next best child, the number by which children are chosen
        Number others;  // the amount that the other open children add to the opposite number
    };

    Entry expand(Position& position, ThreatMap& map, Number proof_limit, Number disproof_limit, bool attacks);
    bool settle_attack(const Position& position, const ThreatMap& map, Entry& entry, Cell& forced) const;
    bool gather_attacks(const Position& position, const ThreatMap& map, Entry& entry);
    bool gather_replies(Position& position, ThreatMap& map, Entry& entry, Node& node);
    void evaluate_replies(Position& position, ThreatMap& map, std::size_t first);
    Choice choose(const Node& node, Entry& entry) const;
    void add_child(const Position& position, Cell move, Number proof);
    const Entry* find(std::uint64_t key) const;
    // Like `find`, but only for entries that count in this search.
    const Entry* find_current(std::uint64_t key) const;
    void store(const Entry& entry);
    Cell longest_reply(const Position& position);

    const Game& game_;
    ForkDefence defence_;
    std::size_t last_bucket_;      // index of its first entry; a bucket has two entries
    HugePages memory_;             // the table; a zeroed entry is empty
    std::vector<Child> children_;  // a stack
    CellSet attacks_;              // scratch
    std::uint64_t salt_ = 0;       // makes the keys of the two attackers different
    std::uint64_t root_ = 0;       // key of the position of the last search
    Generation generation_ = 0;    // number of the search; continuing one does not change it
    std::uint64_t played_ = 0, limit_ = 0;
    Cell move_ = NO_CELL;
};

}  // namespace noughts
