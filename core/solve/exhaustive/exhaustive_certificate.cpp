#include "solve/exhaustive/exhaustive_certificate.hpp"

#include <algorithm>

#include "tactics/forced_sequence.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr int FORCED_WIN_NODES = 2000;
constexpr std::uint64_t ORACLE_NODES = 20'000;
constexpr int MOST_LOOK_AHEAD = 16;  // largest proof, in nodes, that is looked for when moves are compared
constexpr const char* NOT_SHOWN = "no certificate: the claim could not be shown to hold";

}  // namespace

ExhaustiveCertificate::ExhaustiveCertificate(ExhaustiveSolver& solver, CanonicalPosition& canonical, WorkLimit& limit,
                                             std::uint64_t most_nodes)
    : CertificateWriter(canonical, limit, most_nodes), solver_(solver) {
    if (has_direct_threats(solver.game())) forced_win_.emplace(solver.game());
    if (FixedStrategy::supports(solver.game()) && solver.game().has_gravity())
        strategies_.emplace(solver.game(), [this](const Position& position, int goal) {
            return solver_.reaches(position, goal, ORACLE_NODES, limit_);
        });
}

void ExhaustiveCertificate::begin_claim() {
    plans_.clear();
    const bool holds_here = holds();
    expect_unlimited();
    if (!holds_here) throw CertificateError(NOT_SHOWN);
}

// Whether the position's value is at least the goal for the prover.
bool ExhaustiveCertificate::holds() {
    const bool moves = position().turn() == prover_;
    const int alpha = moves ? goal_ - 1 : -goal_;
    const Bounds bounds = solver_.solve(position(), alpha, alpha + 1, limit_).bounds;
    return moves ? bounds.lower >= goal_ : bounds.upper <= -goal_;
}

bool ExhaustiveCertificate::goal_is_met() {
    const int value = value_when_over(position());
    return (position().turn() == prover_ ? value : -value) >= goal_;
}

std::string ExhaustiveCertificate::write_node() {
    const Here here = plan_here();
    if (here.plan.leaf != 0) return write_leaf(here);
    return position().turn() == prover_ ? write_move(here) : write_replies(here);
}

std::string ExhaustiveCertificate::write_leaf(const Here& here) {
    std::string text(1, here.plan.leaf);
    for (const Cell cell : here.plan.items) add_number(text, ' ', canonical_.cell_of(here.symmetry, cell));
    return text;
}

std::string ExhaustiveCertificate::write_move(const Here& here) {
    std::string text(1, 'm');
    add_edge(text, choose_move(here), ' ');
    return text;
}

std::string ExhaustiveCertificate::write_replies(const Here& here) {
    std::string text(1, 'r');
    std::vector<int> replies;
    for (const Cell reply : here.plan.moves) replies.push_back(canonical_.cell_of(here.symmetry, reply));
    add_replies(text, replies);
    if (!here.plan.default_sequence) return text;
    std::vector<Cell> sequence = *here.plan.default_sequence;
    for (Cell& cell : sequence) cell = canonical_.cell_of(here.symmetry, cell);
    add_default(text, sequence);
    return text;
}

// --- plans --------------------------------------------------------------------------------------------------------

ExhaustiveCertificate::Here ExhaustiveCertificate::plan_here() {
    std::vector<Word> key(canonical_.key_words());
    const int symmetry = canonical_.write_key(key);
    const Here here{plans_[std::move(key)], symmetry};
    if (!here.plan.is_expanded) expand(here);
    return here;
}

void ExhaustiveCertificate::expand(const Here& here) {
    here.plan.is_expanded = true;
    if (find_leaf(here))
        here.plan.size = 1;
    else if (position().turn() == prover_)
        list_moves(here);
    else
        list_replies(here);
    expect_unlimited();
    for (Cell& cell : here.plan.items) cell = canonical_.image_of(here.symmetry, cell);
    for (Cell& cell : here.plan.moves) cell = canonical_.image_of(here.symmetry, cell);
    if (here.plan.default_sequence)
        for (Cell& cell : *here.plan.default_sequence) cell = canonical_.image_of(here.symmetry, cell);
}

bool ExhaustiveCertificate::find_leaf(const Here& here) {
    Plan& plan = here.plan;
    if (position().turn() == prover_) {
        for (const int cell : legal_moves())
            if (after(cell, [&] { return position().is_over() && goal_is_met(); })) {
                plan.leaf = 'm';
                plan.items = {cell};
                return true;
            }
        if (forced_win_ && forced_win_->find(position(), prover_, FORCED_WIN_NODES)) {
            plan.leaf = 'f';
            const auto& attacks = forced_win_->attacks();
            const std::size_t count = count_forced(position(), attacks, false);
            for (std::size_t i = 0; i < count; ++i) plan.items.push_back(attacks[i]);
            return true;
        }
    }
    auto order = strategies_ ? strategies_->find(position(), prover_, goal_) : std::nullopt;
    if (!order) return false;
    plan.leaf = 'g';
    plan.items = std::move(*order);
    return true;
}

void ExhaustiveCertificate::list_moves(const Here& here) {
    if (strategies_)
        for (const int cell : legal_moves())
            after(cell, [&] {
                if (solver_.reaches(position(), 1 - goal_, ORACLE_NODES, limit_) == std::optional(false))
                    here.plan.moves.push_back(cell);
            });
    if (!here.plan.moves.empty()) return;
    const Cell move = solver_.move_reaching(position(), goal_, limit_);
    expect_unlimited();
    if (!position().is_legal(move)) throw CertificateError(NOT_SHOWN);
    here.plan.moves = {move};
}

// Lists the replies that need a node. All replies that lose to one default sequence are left out: completing a line at
// once, or carrying out a threatened forced win.
void ExhaustiveCertificate::list_replies(const Here& here) {
    Plan& plan = here.plan;
    plan.moves = legal_moves();
    if (!forced_win_) return;
    std::vector<Cell> sequence;
    if (threat_against(position()).count == 0 && forced_win_->find(position(), prover_, FORCED_WIN_NODES))
        sequence = forced_win_->attacks();
    if (std::erase_if(plan.moves, [&](int reply) { return wins_after(position(), reply, sequence); }) > 0)
        plan.default_sequence = std::move(sequence);
}

// Returns the number of new nodes that the smallest known proof of the position needs, or a number above `most`.
int ExhaustiveCertificate::find_size(int most) {
    if (position().is_over() || has_node()) return 0;
    const Here here = plan_here();
    Plan& plan = here.plan;
    if (plan.size > 0) return plan.size;
    if (plan.more_than >= most) return most + 1;
    const int size = position().turn() == prover_ ? size_of_best_move(here, most) : size_of_replies(here, most);
    if (size <= most)
        plan.size = size;
    else
        plan.more_than = most;
    return size;
}

int ExhaustiveCertificate::size_of_best_move(const Here& here, int most) {
    int least = most + 1;
    for (const Cell move : here.plan.moves) {
        const int size = 1 + after(canonical_.cell_of(here.symmetry, move),
                                   [&] { return find_size(std::min(most, least - 1) - 1); });
        if (size >= least) continue;
        least = size;
        here.plan.best = move;
    }
    return least;
}

int ExhaustiveCertificate::size_of_replies(const Here& here, int most) {
    std::vector<int> sizes;
    int total = 1;
    for (const Cell reply : here.plan.moves) {
        sizes.push_back(after(canonical_.cell_of(here.symmetry, reply), [&] { return least_size(); }));
        total += sizes.back();
    }
    for (std::size_t i = 0; i < sizes.size() && total <= most; ++i) {
        const Cell reply = canonical_.cell_of(here.symmetry, here.plan.moves[i]);
        total += after(reply, [&] { return find_size(most - total + sizes[i]); }) - sizes[i];
    }
    return std::min(total, most + 1);
}

// A lower bound of find_size, without search.
int ExhaustiveCertificate::least_size() {
    if (position().is_over() || has_node()) return 0;
    std::vector<Word> key(canonical_.key_words());
    canonical_.write_key(key);
    const auto found = plans_.find(key);
    if (found == plans_.end()) return 1;
    return found->second.size > 0 ? found->second.size : found->second.more_than + 1;
}

Cell ExhaustiveCertificate::choose_move(const Here& here) {
    if (const Cell move = move_to_written_node(); move != NO_CELL) return move;
    Plan& plan = here.plan;
    if (plan.best == NO_CELL && plan.moves.size() > 1)
        for (int most = 2; most <= MOST_LOOK_AHEAD && size_of_best_move(here, most) > most; most *= 2) {
        }
    if (plan.best != NO_CELL) return canonical_.cell_of(here.symmetry, plan.best);
    Cell best = NO_CELL;
    std::size_t fewest = 0;
    for (const Cell move : plan.moves) {
        const Cell cell = canonical_.cell_of(here.symmetry, move);
        const std::size_t replies =
            after(cell, [&] { return position().is_over() ? 0 : plan_here().plan.moves.size(); });
        if (best != NO_CELL && replies >= fewest) continue;
        best = cell;
        fewest = replies;
    }
    return best;
}

}  // namespace noughts
