#include "solve/exhaustive_certificate.hpp"

#include <algorithm>
#include <map>

namespace noughts {
namespace {

Permutation inverse(const Permutation& permutation) {
    Permutation result(permutation.size());
    for (std::size_t cell = 0; cell < permutation.size(); ++cell)
        result[permutation[cell]] = static_cast<std::uint16_t>(cell);
    return result;
}

Permutation one_then_other(const Permutation& one, const Permutation& other) {
    Permutation result(one.size());
    for (std::size_t cell = 0; cell < one.size(); ++cell) result[cell] = other[one[cell]];
    return result;
}

}  // namespace

ClaimWriter::ClaimWriter(ExhaustiveSolver& exhaust, std::vector<Permutation> symmetries, std::uint64_t most_nodes,
                         WorkLimit& limit)
    : exhaustive_(exhaust),
      game_(exhaust.game()),
      symmetries_(std::move(symmetries)),
      most_nodes_(most_nodes),
      limit_(limit),
      plain_(game_.blocks() == 1 && !game_.has_gravity() && !game_.misere() && !game_.has_guards()) {
    std::map<Permutation, std::uint16_t> index;
    for (const auto& symmetry : symmetries_) index.emplace(symmetry, static_cast<std::uint16_t>(index.size()));
    for (const auto& a : symmetries_) {
        auto& row = quotient_.emplace_back();
        for (const auto& b : symmetries_) row.push_back(index.at(one_then_other(b, inverse(a))));
        auto& blocks = blocks_.emplace_back();
        for (int block = 0; block < game_.blocks(); ++block)
            blocks.push_back(game_.block_of(a[game_.cells_of(block).front()]));
    }
}

Claim ClaimWriter::write(const Position& position, Side prover, int goal) {
    prover_ = prover;
    goal_ = goal;
    lines_.clear();
    known_.clear();
    Claim claim;
    try {
        if (!holds(position)) throw GivenUp{"no certificate: the claim could not be shown to hold"};
        Position root = position;
        if (!root.is_over()) reference(root);
        claim.text = std::string("claim ") + (prover == X ? "X " : "O ") + (goal == 1 ? "win\n" : "draw\n");
        for (const auto& line : lines_) claim.text.append(line).append("\n");
        claim.nodes = lines_.size();
    } catch (const GivenUp& end) {
        claim.why_not = end.why;
    }
    return claim;
}

bool ClaimWriter::holds(const Position& position) const {
    if (position.is_over()) return goal_is_met(position);
    const bool moves = position.turn() == prover_;
    // The prover's value is at least the goal; the opponent's at most its opposite.
    const int alpha = moves ? goal_ - 1 : -goal_;
    const Bounds bounds = exhaustive_.solve(position, alpha, alpha + 1, limit_).bounds;
    return moves ? bounds.lower >= goal_ : bounds.upper <= -goal_;
}

bool ClaimWriter::goal_is_met(const Position& over) const {
    const int value = value_when_over(over);
    return (over.turn() == prover_ ? value : -value) >= goal_;
}

// The number of the node that stands at this position or an image of it, written now if there is none.
std::string ClaimWriter::reference(Position& position) {
    auto [key, image] = canonical(position);
    const auto found = known_.find(key);
    if (found != known_.end()) {
        const std::uint16_t symmetry = symmetries_.empty() ? 0 : quotient_[image][found->second.image];
        std::string known = std::to_string(found->second.node);
        if (symmetry > 0) known.append("/").append(std::to_string(symmetry));
        return known;
    }
    if (lines_.size() >= most_nodes_)
        throw GivenUp{"no certificate: too large, more than " + std::to_string(most_nodes_) + " nodes"};
    const auto node = static_cast<std::uint32_t>(lines_.size());
    limit_.count_node();
    if (limit_.must_end()) throw GivenUp{"no certificate: interrupted"};
    known_.emplace(std::move(key), Known{node, image});
    lines_.emplace_back();
    std::string line = position.turn() == prover_ ? prove(position) : answer(position);
    lines_[node] = std::move(line);
    return std::to_string(node);
}

std::string ClaimWriter::prove(Position& position) {
    if (goal_ == 0 && rival_has_no_line(position)) return "p";
    if (goal_ == 0 && potential_is_low(position)) return "s";
    int cell = written_move(position);
    if (cell == NO_CELL) cell = exhaustive_.move_reaching(position, goal_, limit_);
    if (cell == NO_CELL) throw GivenUp{"no certificate: interrupted"};
    const ScopedMove move(position, cell);
    std::string line = "m " + std::to_string(cell);
    if (!position.is_over()) line.append(" ").append(reference(position));
    return line;
}

std::string ClaimWriter::answer(Position& position) {
    if (goal_ == 0 && rival_has_no_line(position)) return "p";
    if (goal_ == 0 && potential_is_low(position)) return "s";
    std::vector<int> replies;
    position.for_each_legal([&](int cell) { replies.push_back(cell); });
    std::string line = "r";
    for (int cell : replies) {
        const ScopedMove move(position, cell);
        line.append(" ").append(std::to_string(cell));
        if (!position.is_over()) line.append(":").append(reference(position));
    }
    return line;
}

// A move that ends the game well, or leads to a node that is there already.
int ClaimWriter::written_move(Position& position) {
    std::vector<int> moves;
    position.for_each_legal([&](int cell) { moves.push_back(cell); });
    int written = NO_CELL;
    for (int cell : moves) {
        const ScopedMove move(position, cell);
        if (position.is_over() ? goal_is_met(position) : false) return cell;
        if (written == NO_CELL && !position.is_over() && known_.contains(canonical(position).first)) written = cell;
    }
    return written;
}

bool ClaimWriter::rival_has_no_line(const Position& position) const {
    if (!plain_) return false;
    for (int i = 0; i < game_.lines(); ++i)
        if (marks_of(position.line(i), prover_) == 0) return false;
    return true;
}

// Erdős and Selfridge: lines without a mark of the prover's count 2^-(empty cells); below 1 with the prover to move,
// below a half with the opponent to move, the prover spoils them all.
bool ClaimWriter::potential_is_low(const Position& position) const {
    if (!plain_) return false;
    std::uint64_t sum = 0, one = std::uint64_t{1} << MAX_LINE_LENGTH;
    for (int i = 0; i < game_.lines(); ++i)
        if (marks_of(position.line(i), prover_) == 0) sum += one >> empties_of(position.line(i));
    return sum < (position.turn() == prover_ ? one : one / 2);
}

// The least encoding of all images, and the symmetry that leads to it.
std::pair<std::string, std::uint16_t> ClaimWriter::canonical(const Position& position) const {
    std::pair<std::string, std::uint16_t> least{encoded(position, 0), 0};
    for (std::size_t i = 1; i < symmetries_.size(); ++i)
        if (std::string other = encoded(position, i); other < least.first)
            least = {std::move(other), static_cast<std::uint16_t>(i)};
    return least;
}

// Everything that makes a position what it is: marks, side to move, block to play, and owners where marks do not tell.
std::string ClaimWriter::encoded(const Position& position, std::size_t image) const {
    const bool moved = image > 0;
    std::string code(game_.cells() + 2 + (game_.keeps_won_blocks_open() ? game_.blocks() : 0), '.');
    for (Side side : BOTH_SIDES)
        position.marks(side).for_each(
            [&](int cell) { code[moved ? symmetries_[image][cell] : cell] = side == X ? 'X' : 'O'; });
    const int block = position.block_to_play();
    code[game_.cells()] = position.turn() == X ? 'X' : 'O';
    code[game_.cells() + 1] = static_cast<char>(block < 0 ? 0 : 1 + (moved ? blocks_[image][block] : block));
    for (int b = 0; b < game_.blocks() && game_.keeps_won_blocks_open(); ++b)
        code[game_.cells() + 2 + (moved ? blocks_[image][b] : b)] =
            static_cast<char>('a' + index(position.owner(b)) + 1);
    return code;
}

}  // namespace noughts
