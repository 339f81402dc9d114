#include "solve/breaker/breaker_questions.hpp"

#include <memory>

#include "solve/breaker/breaker_certificate.hpp"
#include "support/scoped_value.hpp"

namespace noughts {
namespace {

// With lines of four, the maker mostly wins the Maker-Breaker game, or proof-number search is faster.
constexpr int SHORTEST_LINE = 5;             // cells
constexpr double MOST_EXPECTED_NODES = 1e7;  // if more are expected, the search is hopeless

bool has_long_lines(const Game& game) {
    for (int line = 0; line < game.lines(); ++line)
        if (std::ssize(game.line_cells(line)) < SHORTEST_LINE) return false;
    return true;
}

}  // namespace

BreakerQuestions::BreakerQuestions(const Position& position, const Symmetry& symmetry, ProofTable& table, int threads)
    : position_(position), symmetry_(symmetry), table_(table), threads_(threads) {}

void BreakerQuestions::start_from(const Position& position) {
    position_ = position;
    team_.dissolve();
    answers_ = {{Answer::UNKNOWN, Answer::UNKNOWN}};
}

bool BreakerQuestions::may_ask(Side breaker) const {
    const Game& game = position_.game();
    if (answers_[breaker] != Answer::UNKNOWN || !BreakerState::can_represent(game) || !has_long_lines(game))
        return false;
    return BreakerSearch::expected_nodes(BreakerState(position_, opponent(breaker))) < MOST_EXPECTED_NODES;
}

Answer BreakerQuestions::ask(Side breaker, std::uint64_t nodes, WorkLimit& limit) {
    if (!team_.is_formed())
        team_.form(threads_, [&](PositionsInProgress* in_progress) {
            return std::make_unique<BreakerSearch>(position_, symmetry_, table_, in_progress);
        });
    const ScopedValue running(is_running_, true);
    limit.set_share(nodes);
    const ProofNumbers numbers = team_.search(opponent(breaker), limit);
    limit.set_share(WorkLimit::UNLIMITED);
    if (numbers.is_solved()) answers_[breaker] = numbers.is_proved() ? Answer::NO : Answer::YES;
    return answers_[breaker];
}

int BreakerQuestions::find_move(WorkLimit& limit) {
    BreakerSearch& search = team_.leader();
    search.set_maker(opponent(position_.turn()));
    BreakerState state = search.first_state();
    for (const OpenLine& line : state.lines())
        if (!has_several(line.cells)) return lowest(line.cells);
    if (state.outcome() != BreakerState::Outcome::OPEN || BreakerSearch::sum_is_low(state)) return NO_CELL;
    return search.decisive_move(state, limit);
}

void BreakerQuestions::report(SolveProgress& progress) const {
    const BreakerSearch& search = team_.leader();
    progress.attacker = search.maker();
    progress.numbers = search.root_numbers();
    progress.share = search.estimate_progress(team_.threads());
    progress.path = search.path();
}

Certificate BreakerQuestions::prove(const std::vector<Side>& breakers, const CertificateWriter& earlier,
                                    CertificateTask& task) {
    BreakerCertificate writer(team_.leader(), earlier);
    task.writer = &writer;
    for (const Side breaker : breakers) writer.claim_breaker(breaker);
    return writer.certificate();
}

}  // namespace noughts
