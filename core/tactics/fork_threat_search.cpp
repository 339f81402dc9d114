#include "tactics/fork_threat_search.hpp"

#include <algorithm>
#include <utility>

#include "tactics/static_win.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr PerSide<std::uint64_t> SALTS = {{0x3c6ef372fe94f82bull, 0xa54ff53a5f1d36f1ull}};
constexpr LineState THREE_EMPTY = 3u << EMPTIES_SHIFT;
constexpr ClassSet ONLY_THREES = MAKES_THREE & ~MAKES_FOUR;
constexpr int FOUR_PROOF = 1, THREE_PROOF = 3;  // initial proof numbers of untried attacks

// Plays a move on a position and its threat map, and takes it back on destruction.
class ScopedMapMove {
  public:
    ScopedMapMove(Position& position, ThreatMap& map, Cell cell) : position_(position), map_(map) {
        map_.play(cell, position_.turn());
        position_.play(cell);
    }
    ~ScopedMapMove() {
        position_.undo();
        map_.undo();
    }
    ScopedMapMove(const ScopedMapMove&) = delete;
    ScopedMapMove& operator=(const ScopedMapMove&) = delete;

  private:
    Position& position_;
    ThreatMap& map_;
};

}  // namespace

ForkThreatSearch::ForkThreatSearch(const Game& game, std::size_t entries)
    : game_(game), defence_(game), last_bucket_(entries - 2), memory_(entries, sizeof(Entry)), attacks_(game.cells()) {}

int ForkThreatSearch::search(Position& position, ThreatMap& map, int nodes) {
    played_ = 0;
    limit_ = static_cast<std::uint64_t>(nodes);
    salt_ = SALTS[position.turn()];
    const std::uint64_t key = position.key() ^ salt_;
    if (std::exchange(root_, key) != key) ++generation_;
    Entry found;
    if (const Entry* known = find(key)) found = *known;
    if (!found.numbers.is_settled()) {
        if (found.work >= limit_) return 0;
        if (found.generation == generation_) limit_ -= found.work;
        found = expand(position, map, INFINITE, INFINITE, true);
    }
    if (found.numbers.proof > 0) return 0;
    move_ = found.move;
    return found.numbers.plies;
}

// Searches a position until one of its numbers reaches its limit, and returns the entry.
ForkThreatSearch::Entry ForkThreatSearch::expand(Position& position, ThreatMap& map, Number proof_limit,
                                                 Number disproof_limit, bool attacks) {
    Entry entry;
    entry.key = position.key() ^ salt_;
    if (const Entry* known = find_current(entry.key)) entry.work = known->work;
    const std::uint64_t start = played_;
    Node node{children_.size(), attacks};
    const bool is_open = attacks ? gather_attacks(position, map, entry) : gather_replies(position, map, entry, node);
    while (is_open) {
        const Choice choice = choose(node, entry);
        if (entry.numbers.is_settled() || entry.numbers.proof >= proof_limit ||
            entry.numbers.disproof >= disproof_limit || played_ >= limit_)
            break;
        // The margin of a quarter avoids jumping between children with nearly equal numbers.
        const Number wider = choice.second + choice.second / 4 + 1;
        const Number child_proof = attacks ? std::min(proof_limit, wider) : proof_limit - choice.others;
        const Number child_disproof = attacks ? disproof_limit - choice.others : std::min(disproof_limit, wider);
        ++played_;
        const ScopedMapMove move(position, map, children_[choice.child].move);
        children_[choice.child].numbers = expand(position, map, child_proof, child_disproof, !attacks).numbers;
    }
    children_.resize(node.first);
    entry.work += static_cast<std::uint32_t>(played_ - start);
    store(entry);
    return entry;
}

// Computes the numbers of a node from its children. The side to move needs one child, so the least number counts. The
// other side needs all children: there the greatest number counts, plus 1 for each further child, because a sum would
// count positions several times that are reached by different orders of moves.
ForkThreatSearch::Choice ForkThreatSearch::choose(const Node& node, Entry& entry) const {
    Choice choice{node.first, INFINITE, 0};
    Number least = INFINITE, greatest = 0, open = 0;
    int plies = node.plies_otherwise;
    for (std::size_t i = node.first; i < children_.size(); ++i) {
        const Numbers& numbers = children_[i].numbers;
        const auto [own, other] =
            node.attacks ? std::pair(numbers.proof, numbers.disproof) : std::pair(numbers.disproof, numbers.proof);
        if (own < least) {
            choice.second = std::exchange(least, own);
            choice.child = i;
        } else {
            choice.second = std::min(choice.second, own);
        }
        if (other > 0) ++open;
        greatest = std::max(greatest, other);
        plies = std::max(plies, numbers.plies + 1);
    }
    if (least == 0 || open == 0) {
        // One child decides for the side to move, all children for the other side.
        const bool is_won = node.attacks == (least == 0);
        if (is_won)
            entry.numbers.prove(node.attacks ? children_[choice.child].numbers.plies + 1 : plies);
        else
            entry.numbers.refute();
        if (is_won && node.attacks) entry.move = static_cast<std::int16_t>(children_[choice.child].move);
        return choice;
    }
    choice.others = open - 1;
    const Number all = std::min(INFINITE, greatest + choice.others);
    entry.numbers = node.attacks ? Numbers{least, all, 0} : Numbers{all, least, 0};
    return choice;
}

// Whether a position with the attacker to move is settled without search. If not, `forced` is the only possible move,
// if there is just one.
bool ForkThreatSearch::settle_attack(const Position& position, const ThreatMap& map, Entry& entry, Cell& forced) const {
    const auto win = [&entry](Cell move, int plies) {
        entry.numbers.prove(plies);
        entry.move = static_cast<std::int16_t>(move);
        return true;
    };
    const auto refuted = [&entry] {
        entry.numbers.refute();
        return true;
    };
    if (position.is_over()) return refuted();
    if (const Cell cell = winning_move(position); cell != NO_CELL) return win(cell, 1);
    const Threat threat = threat_against(position);
    if (threat.count > 1) return refuted();
    forced = threat.cell;
    const StaticWin found = forced != NO_CELL ? static_win_on(position, map, forced) : static_win(position, map);
    return found.plies > 0 && win(found.move, found.plies);
}

// Gathers the moves that make a threat, and the moves after which a fork is possible: those that make an open three,
// and those that put a cell of one pair on a second pair. Returns false if no search is needed.
bool ForkThreatSearch::gather_attacks(const Position& position, const ThreatMap& map, Entry& entry) {
    Cell forced = NO_CELL;
    if (settle_attack(position, map, entry, forced)) return false;
    if (forced != NO_CELL) {
        add_child(position, forced, FOUR_PROOF);
        return true;
    }
    const Side self = position.turn();
    const auto fours = map.cells(self, MAKES_FOUR);
    attacks_ = map.cells(self, ONLY_THREES);
    fours.for_each([&](Cell four) {
        for (const int line : game_.lines_of(four)) {
            if ((position.line(line) & RIVAL_MASK[self]) != THREE_EMPTY) continue;
            for (Cell cell : game_.line_cells(line))
                if (position.at(cell) == NO_SIDE) attacks_.insert(cell);
        }
    });
    attacks_ -= fours;
    // A threat of a fork gives the opponent time to fork, unless the move prevents that.
    if (map.has(opponent(self), class_set(CellClass::DOUBLE_FOUR)) && defence_.find(position))
        attacks_ &= defence_.replies();
    fours.for_each([&](Cell cell) { add_child(position, cell, FOUR_PROOF); });
    attacks_.for_each([&](Cell cell) { add_child(position, cell, THREE_PROOF); });
    return true;
}

// Gathers the defender's replies to the attacker's last move, which may not have made a threat. Returns false if no
// search is needed.
bool ForkThreatSearch::gather_replies(Position& position, ThreatMap& map, Entry& entry, Node& node) {
    if (position.is_over() || winning_move(position) != NO_CELL) {
        entry.numbers.refute();
        return false;
    }
    const Threat threat = threat_against(position);
    if (threat.count == 1) {
        add_child(position, threat.cell, 1);
        node.plies_otherwise = 2;
        return true;
    }
    if (threat.count > 1) {
        entry.numbers.prove(2);
        return false;
    }
    if (!defence_.find(position)) {
        entry.numbers.refute();
        return false;
    }
    node.plies_otherwise = 4;
    (position.legal_cells() & defence_.replies()).for_each([&](Cell cell) { add_child(position, cell, 1); });
    evaluate_replies(position, map, node.first);
    return true;
}

// Evaluates the positions after replies that are not in the table: the fewer attacks, the easier to refute.
void ForkThreatSearch::evaluate_replies(Position& position, ThreatMap& map, std::size_t first) {
    for (std::size_t i = first; i < children_.size(); ++i) {
        Numbers& numbers = children_[i].numbers;
        if (numbers.disproof == 0) return;
        if (numbers.proof != 1 || numbers.disproof != 1) continue;
        ++played_;
        const ScopedMapMove move(position, map, children_[i].move);
        Entry leaf;
        leaf.key = position.key() ^ salt_;
        Cell forced = NO_CELL;
        if (settle_attack(position, map, leaf, forced))
            store(leaf);
        else if (forced == NO_CELL)
            leaf.numbers.disproof = 1 + map.cells(position.turn(), MAKES_FOUR | ONLY_THREES).count() / 2;
        numbers = leaf.numbers;
    }
}

void ForkThreatSearch::add_child(const Position& position, Cell move, Number proof) {
    const Entry* known = find_current(position.likely_key_after(move) ^ salt_);
    children_.push_back({move, known ? known->numbers : Numbers{proof, 1, 0}});
}

const ForkThreatSearch::Entry* ForkThreatSearch::find(std::uint64_t key) const {
    const Entry* bucket = static_cast<const Entry*>(memory_.data()) + (key & last_bucket_);
    if (bucket[0].key == key) return &bucket[0];
    return bucket[1].key == key ? &bucket[1] : nullptr;
}

const ForkThreatSearch::Entry* ForkThreatSearch::find_current(std::uint64_t key) const {
    const Entry* known = find(key);
    return known && (known->generation == generation_ || known->numbers.is_settled()) ? known : nullptr;
}

void ForkThreatSearch::store(const Entry& entry) {
    Entry* bucket = static_cast<Entry*>(memory_.data()) + (entry.key & last_bucket_);
    const bool is_second =
        bucket[1].key == entry.key || (bucket[0].key != entry.key && bucket[1].work < bucket[0].work);
    bucket[is_second] = entry;
    bucket[is_second].generation = generation_;
}

Cell ForkThreatSearch::winning_attack(const Position& position) const {
    const Entry* known = find(position.key() ^ salt_);
    return known && known->numbers.proof == 0 ? known->move : NO_CELL;
}

std::vector<Cell> ForkThreatSearch::sequence(Position& position) {
    std::vector<Cell> moves;
    for (bool attacks = true; !position.is_over(); attacks = !attacks) {
        const Entry* known = find(position.key() ^ salt_);
        if (!known || known->numbers.proof > 0) break;
        const Cell move = attacks ? known->move : longest_reply(position);
        if (move == NO_CELL) break;
        moves.push_back(move);
        position.play(move);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) position.undo();
    return moves;
}

Cell ForkThreatSearch::longest_reply(const Position& position) {
    if (const Threat threat = threat_against(position); threat.count > 0) return threat.cell;
    if (!defence_.find(position)) return NO_CELL;
    Cell best = NO_CELL;
    int longest = 0;
    for (Cell cell : position.legal_cells() & defence_.replies()) {
        const Entry* known = find(position.likely_key_after(cell) ^ salt_);
        if (!known || known->numbers.plies <= longest) continue;
        longest = known->numbers.plies;
        best = cell;
    }
    return best;
}

}  // namespace noughts
