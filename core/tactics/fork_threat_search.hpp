// Search for wins by threats and by threats of a fork.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.hpp"
#include "support/huge_pages.hpp"
#include "tactics/fork_defence.hpp"
#include "tactics/threat_map.hpp"

namespace noughts {

// Searches for a win by moves that threaten to complete a line, to which there is one reply, or to make a fork, to
// which ForkDefence gives all replies. Success is a proof; failure says only that no such sequence was found.
//
// Depth-first proof-number search: a position with the attacker to move is won if one of its attacks wins, one with the
// defender to move if all of its replies lose. The table keeps what is known about positions, so that a search with a
// larger budget continues where the last one ended. For games with a threat map.
class ForkThreatSearch {
  public:
    static constexpr std::size_t TABLE_ENTRIES = std::size_t{1} << 18;

    // The number of entries is a power of two.
    explicit ForkThreatSearch(const Game& game, std::size_t entries = TABLE_ENTRIES);

    // The number of plies in which the side to move wins at the latest, or 0. At most `nodes` moves are tried, those of
    // earlier searches of the same position included. `map` must be that of the position; both are left as they were.
    int search(Position& position, ThreatMap& map, int nodes);

    std::uint64_t played() const { return played_; }  // moves made by the last search
    Cell move() const { return move_; }               // the first move of the last win
    // The move that wins in a position of the last win, or NO_CELL if the table has lost it.
    Cell winning_attack(const Position& position) const;
    // Both sides' moves of the last win, as far as the table has them; the replies are those that last longest.
    std::vector<Cell> sequence(Position& position);

  private:
    using Number = std::uint32_t;
    static constexpr Number INFINITE = 1u << 30;

    // The numbers of leaves that must still be won to prove a position, and refuted to disprove it. A proof number of 0
    // is a proof, a disproof number of 0 a refutation.
    struct Numbers {
        Number proof = 1, disproof = 1;
        std::uint16_t plies = 0;  // if proven: to the end at most

        bool is_settled() const { return proof == 0 || disproof == 0; }
        void prove(int within) { *this = {0, INFINITE, static_cast<std::uint16_t>(within)}; }
        void refute() { *this = {INFINITE, 0, 0}; }
    };
    struct Entry {
        std::uint64_t key = 0;
        Numbers numbers;
        std::int16_t move = NO_CELL;  // if proven, with the attacker to move
        std::uint32_t work = 0;       // moves tried below the position
    };
    struct Child {
        Cell move;
        Numbers numbers;
    };
    // The moves of a node, which lie on a stack from `first` on.
    struct Node {
        std::size_t first;
        bool attacks;             // the attacker is to move
        int plies_otherwise = 0;  // the defender's other moves lose within this number of plies
    };
    // The child to search next, and how far.
    struct Choice {
        std::size_t child;
        Number second;  // the number by which it was chosen, of the next best child
        Number others;  // added to its other number by the children that are not settled
    };

    Entry expand(Position& position, ThreatMap& map, Number proof_limit, Number disproof_limit, bool attacks);
    bool settle_attack(const Position& position, const ThreatMap& map, Entry& entry, Cell& forced) const;
    bool gather_attacks(const Position& position, const ThreatMap& map, Entry& entry);
    bool gather_replies(Position& position, ThreatMap& map, Entry& entry, Node& node);
    void evaluate_replies(Position& position, ThreatMap& map, std::size_t first);
    Choice choose(const Node& node, Entry& entry) const;
    void add_child(const Position& position, Cell move, Number proof);
    const Entry* find(std::uint64_t key) const;
    void store(const Entry& entry);
    Cell longest_reply(const Position& position);

    const Game& game_;
    ForkDefence defence_;
    std::size_t last_bucket_;      // its first entry: a bucket has two
    HugePages memory_;             // the table: a zeroed entry is an empty one
    std::vector<Child> children_;  // a stack
    CellSet attacks_;              // scratch
    std::uint64_t salt_ = 0;       // distinguishes the attackers in keys
    std::uint64_t played_ = 0, limit_ = 0;
    Cell move_ = NO_CELL;
};

}  // namespace noughts
