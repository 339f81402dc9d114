// Wins by threats and threats of a fork that are checked by the rules, so that they can be part of a proof.
#pragma once

#include <optional>
#include <vector>

#include "tactics/forced_win.hpp"
#include "tactics/fork_threat_search.hpp"
#include "tactics/win_tree.hpp"

namespace noughts {

// ForkThreatSearch identifies positions by 64-bit hashes, so its results are not proofs. This class plays each win that
// it finds out against all replies. Each of the attacker's moves either makes a threat, which leaves one reply, or
// would be followed by a forced win if the defender passed; then only the replies in the defence zone of that win must
// be answered.
class ForkWin {
  public:
    static constexpr std::size_t TABLE_ENTRIES = std::size_t{1} << 15;

    explicit ForkWin(const Game& game, std::size_t entries = TABLE_ENTRIES);

    // Whether there is a threat map for the game.
    static bool supports(const Game& game) { return ThreatMap::supports(game); }

    // Whether the side to move wins by threats and threats of a fork; the search tries at most `nodes` moves. True is a
    // proof. The game must be supported, and the position must not be over.
    bool find(Position& position, int nodes);
    // Whether the side to move wins by the attacks of `similar`, a win from a similar position. Searches only for
    // answers to replies that `similar` does not have, with at most `nodes` moves for each. True is a proof.
    bool find_similar(Position& position, const WinTree& similar, int nodes);
    // An upper bound of the plies in which the side to move wins, not checked by the rules; 0 if no win was found.
    int estimate(Position& position, int nodes);
    const WinTree& tree() const { return tree_; }  // the last win
    Cell move() const { return tree_.first_move(tree_.root()); }

  private:
    using Index = WinTree::Index;

    bool confirm(Position& position, const WinTree* similar, int nodes);
    // These add the attacker's win to the tree and return its node, or NONE if the win is not confirmed. `similar` is
    // the node of a win from a similar position, or NONE. In add_win the attacker is to move; the others are called
    // after `attack` was played.
    Index add_win(Position& position, Index similar);
    Index add_attack(Position& position, Cell attack, Index similar);
    // For an `attack` that makes no threat: the defender may answer anywhere.
    Index add_quiet_attack(Position& position, Cell attack, Index similar);
    Cell attack_in(Position& position, Index similar);

    ForcedWin forced_win_;
    ForkThreatSearch search_;
    std::optional<ThreatMap> map_;
    WinTree tree_;
    const WinTree* similar_ = nullptr;
    int nodes_ = 0;    // limit of a search for an attack that the table does not have
    int checked_ = 0;  // number of positions played out so far
};

}  // namespace noughts
