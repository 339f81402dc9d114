#include "solve/exhaustive/exhaustive_solver.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "solve/exhaustive/bitboard_search.hpp"
#include "solve/exhaustive/general_search.hpp"
#include "support/helper_threads.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr std::uint64_t FIRST_NODES = 1 << 14;  // nodes for the first question before the other one gets its turn
constexpr std::uint64_t NODES_ALONE = 1 << 17;  // nodes of the first thread before others join
constexpr std::uint64_t PAUSE_PART = 4;         // all threads pause each time the nodes have grown by 1 / PAUSE_PART
constexpr std::uint64_t SHARE_GROWS = 4, LEAST_SHARE = 256;
constexpr double LEFT_WITH_ONE_QUESTION = 0.29, LEFT_WITH_TWO_QUESTIONS = 1.7, LEFT_POWER = 0.35, LEFT_ERROR = 4.9;
constexpr std::uint64_t BYTES_PER_POSITION = 16;  // of the table, with room to spare
constexpr std::uint64_t NODES_PER_POSITION = 4;   // for each position stored in the table, about

std::unique_ptr<ExhaustiveSearch> make_search(const std::shared_ptr<const Game>& game, std::size_t bytes,
                                              const std::vector<Permutation>& symmetries) {
    if (BitboardLayout::fits(*game)) return make_bitboard_search(*game, bytes, symmetries);
    return make_general_search(game, bytes);
}

// The number of cells where the opponent must answer a threat after this move, in games with direct threats.
int count_threats(const Position& after) {
    if (after.game().blocks() > 1 || after.game().misere()) return 0;
    return after.is_over() ? 3 : threat_against(after).count;
}

// The legal moves: forcing moves first, then from the middle outwards.
std::vector<int> forcing_first(const Position& position) {
    std::vector<std::pair<int, int>> ranked;
    Position next = position;
    position.for_each_legal([&](int cell) {
        const ScopedMove move(next, cell);
        ranked.emplace_back(-(count_threats(next) * 256 + position.game().centrality(cell)), cell);
    });
    std::sort(ranked.begin(), ranked.end());
    std::vector<int> moves;
    for (auto [rank, cell] : ranked) moves.push_back(cell);
    return moves;
}

}  // namespace

int resisting_move(const Position& position) {
    if (position.game().blocks() == 1 && completing_wins(position.game()))
        if (const Threat threat = threat_against(position); threat.count > 0) return threat.cell;
    return forcing_first(position).front();
}

int value_when_over(const Position& position) {
    const Side winner = position.winner();
    return winner == NO_SIDE ? 0 : winner == position.turn() ? 1 : -1;
}

ExhaustiveSolver::ExhaustiveSolver(std::shared_ptr<const Game> game, std::size_t bytes,
                                   const std::vector<Permutation>& symmetries, int threads)
    : game_(std::move(game)), search_(make_search(game_, bytes, symmetries)), threads_(threads) {}

// Two questions determine the value: can the side to move win, and can it at least draw? Yes to the first implies yes
// to the second, and no to the second implies no to the first. Which one is easier is not known in advance, so the
// questions take turns with growing shares of work. Once a share would fill the whole table, and so replace the results
// of the other question, each question is searched to the end.
ExhaustiveResult ExhaustiveSolver::solve(const Position& position, int alpha, int beta, WorkLimit& limit) {
    if (position.is_over()) return {{value_when_over(position), value_when_over(position)}};
    prepare(position, limit);
    ExhaustiveResult result{search_->known(position)};
    auto is_open = [&](int goal) { return alpha < goal && goal <= beta && result.bounds.reaches(goal) == 0; };
    const std::uint64_t longest = search_->bytes() / BYTES_PER_POSITION;
    for (std::uint64_t share = FIRST_NODES; is_open(0) || is_open(1); share *= SHARE_GROWS)
        for (int goal : {1, 0}) {
            if (!is_open(goal)) continue;
            is_second_open_ = is_open(1 - goal);
            const bool is_shared = is_second_open_ && share <= longest;
            result.bounds = ask(position, goal, is_shared ? share : WorkLimit::UNLIMITED, result.bounds, limit);
            if (limit.is_spent()) return result;
        }
    if (result.bounds.lower >= 0 || result.bounds.is_exact())
        result.move = find_move(position, result.bounds.lower, limit);
    return result;
}

// Works on one question for a share of nodes, and returns the bounds known afterwards.
Bounds ExhaustiveSolver::ask(const Position& position, int goal, std::uint64_t share, Bounds known, WorkLimit& limit) {
    const std::optional<bool> reached = search(position, goal, share, limit);
    if (!reached) return known;
    if (*reached) return {std::max(known.lower, goal), known.upper};
    return {known.lower, std::min(known.upper, goal - 1)};
}

std::optional<bool> ExhaustiveSolver::reaches(const Position& position, int goal, std::uint64_t nodes,
                                              WorkLimit& limit) {
    if (position.is_over()) return value_when_over(position) >= goal;
    prepare(position, limit);
    return search(position, goal, nodes, limit);
}

// A single thread begins: most questions are answered before other threads could start.
void ExhaustiveSolver::prepare(const Position& position, const WorkLimit& limit) {
    search_->prepare(position);
    alone_until_ = threads_ > 1 ? limit.nodes() + NODES_ALONE : WorkLimit::UNLIMITED;
}

// The table cannot grow while several threads use it, so the threads pause regularly.
std::optional<bool> ExhaustiveSolver::search(const Position& position, int goal, std::uint64_t share,
                                             WorkLimit& limit) {
    const std::uint64_t start = limit.nodes();
    const auto left = [&] { return share - std::min(share, limit.nodes() - start); };
    const std::uint64_t alone = std::min(share, alone_until_ - std::min(alone_until_, start));
    std::optional<bool> reached;
    limit.set_share(alone);
    if (alone > 0) reached = search_->reaches(position, goal, limit);
    while (!reached && left() > 0 && !limit.is_spent())
        reached = search_together(position, goal, std::min(left(), limit.nodes() / PAUSE_PART), limit);
    limit.set_share(WorkLimit::UNLIMITED);
    return reached;
}

std::optional<bool> ExhaustiveSolver::search_together(const Position& position, int goal, std::uint64_t share,
                                                      WorkLimit& limit) {
    std::vector<std::unique_ptr<ExhaustiveSearch>> helpers;
    for (int i = 1; i < threads_; ++i) helpers.push_back(search_->make_helper(share / NODES_PER_POSITION));
    limit.set_share(share);
    std::atomic<int> answer = 0;  // found by a helper: 1 yes, -1 no
    const auto help = [&](int number) {
        WorkLimit own(limit);
        if (const auto reached = helpers[number - 1]->reaches(position, goal, own)) answer = *reached ? 1 : -1;
        limit.finish();
    };
    const auto abandon = [&] {
        for (auto& helper : helpers) static_cast<void>(helper.release());
        helpers.clear();
    };
    HelperThreads threads(threads_ - 1, {help, [&limit] { limit.finish(); }, abandon});
    const std::optional<bool> reached = search_->reaches(position, goal, limit);
    threads.finish();
    return reached || answer == 0 ? reached : std::optional(answer > 0);
}

// Fitted to complete solves: the ratio of nodes left to nodes done grows with the tree estimate of the current search,
// but more slowly. While both questions are open, the other one may have to be answered too.
ProgressEstimate ExhaustiveSolver::estimate_progress(std::uint64_t nodes, std::uint64_t before) const {
    const double left = search_->estimate().nodes_left(nodes), done = static_cast<double>(nodes + before);
    if (left < 0) return {};
    const double factor = is_second_open_ ? LEFT_WITH_TWO_QUESTIONS : LEFT_WITH_ONE_QUESTION;
    return ProgressEstimate::of(done, done * factor * std::pow(std::max(left, 1.0) / done, LEFT_POWER), LEFT_ERROR);
}

int ExhaustiveSolver::move_reaching(const Position& position, int value, WorkLimit& limit) {
    prepare(position, limit);
    return find_move(position, value, limit);
}

// A move that reaches `value`; there must be one. Usually the table has it. If its entry was replaced, the moves take
// turns with growing shares of work, so that a long search of a wrong move does not delay the right one.
int ExhaustiveSolver::find_move(const Position& position, int value, WorkLimit& limit) {
    std::vector<int> moves = forcing_first(position);
    if (value < 0) return resisting_move(position);
    Position next = position;
    for (std::uint64_t share = 0; !moves.empty(); share = std::max(LEAST_SHARE, share * SHARE_GROWS)) {
        std::vector<int> undecided;
        for (int cell : moves) {
            const ScopedMove move(next, cell);
            const int reached = test_move(next, value, share, limit);
            if (reached > 0) return cell;
            if (limit.is_spent()) return NO_CELL;
            if (reached == 0) undecided.push_back(cell);
        }
        moves = std::move(undecided);
    }
    return NO_CELL;
}

// Whether the move that led to `after` reaches the value: 1 yes, -1 no, 0 unknown.
int ExhaustiveSolver::test_move(const Position& after, int value, std::uint64_t share, WorkLimit& limit) {
    if (after.is_over()) return -value_when_over(after) >= value ? 1 : -1;
    Bounds bounds = search_->known(after);
    if (bounds.reaches(1 - value) == 0 && share > 0) bounds = ask(after, 1 - value, share, bounds, limit);
    return -bounds.reaches(1 - value);
}

Bounds ExhaustiveSolver::known(const Position& position) const {
    if (position.is_over()) return {value_when_over(position), value_when_over(position)};
    return search_->known(position);
}

void ExhaustiveSolver::save(SnapshotWriter& out) const {
    out.write_header(SnapshotKind::VALUES, game_->fingerprint());
    search_->save(out);
    out.flush();
}

void ExhaustiveSolver::load(SnapshotReader& in) {
    in.expect_header(SnapshotKind::VALUES, game_->fingerprint());
    try {
        search_->load(in);
        in.expect_end();
    } catch (...) {
        search_->clear();
        throw;
    }
}

}  // namespace noughts
