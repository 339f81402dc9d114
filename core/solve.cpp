#include "solve.hpp"

#include "certificate.hpp"

namespace noughts {
namespace {

constexpr std::uint64_t FIRST_SLICE = 10'000;

int key_words(const Position& position, const Symmetry& symmetry) { return Images(position, symmetry).key_words(); }

}  // namespace

Solver::Solver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, Rules rules)
    : position_(position), table_(key_words(position, symmetry), megabytes), search_(position, symmetry, table_, rules) {}

bool Solver::solve_finished_game() {
    if (!position_.is_over()) return false;
    const Side winner = position_.winner();
    solved_.lower = solved_.upper = winner == NOBODY ? 0 : winner == position_.turn() ? 1 : -1;
    return true;
}

// Strategy stealing: if the second player could win, the first would make any move, then play as the second, and the extra
// mark would never hurt. Only from the empty board, and only where a mark cannot hurt: not with guards, gravity (a mark
// makes another cell playable), misère or several blocks (a mark sends the opponent).
bool Solver::second_player_cannot_win() const {
    if (!is_plain(position_.game())) return false;
    for (int w = 0; w < position_.game().words(); ++w)
        if (position_.marks_word(X, w) | position_.marks_word(O, w)) return false;
    return true;
}

void Solver::ask(Side attacker, std::uint64_t slice, Budget& budget) {
    budget.pause_after(slice);
    const Numbers numbers = search_.search(attacker, budget);
    if (numbers.is_solved()) can_win_[attacker] = numbers.is_proved() ? YES : NO;
}

void Solver::conclude() {
    const Side mover = position_.turn();
    if (can_win_[mover] == YES) solved_.lower = 1;
    if (can_win_[mover] == NO) solved_.upper = std::min(solved_.upper, 0);
    if (can_win_[1 - mover] == YES) solved_.upper = -1;
    if (can_win_[1 - mover] == NO) solved_.lower = std::max(solved_.lower, 0);
}

// A draw needs both halves, that neither side can force a win; so both questions are asked in turns, ever longer, until one
// answer settles the other.
Solved Solver::solve(const SolveLimits& limits, const Progress& progress, const Interrupt& interrupt) {
    const Side mover = position_.turn();
    const std::uint64_t nodes_before = solved_.nodes;
    Budget* running = nullptr;
    const auto report = [&](double seconds) {
        return !progress || progress({nodes_before + running->used(), seconds, search_.attacker(), search_.root_numbers(), table_.per_mille_full(), search_.line()});
    };
    Budget budget(limits.seconds, limits.nodes, interrupt, report);
    running = &budget;
    if (solve_finished_game()) return solved_;
    const bool stolen = second_player_cannot_win();
    if (stolen) can_win_[1 - mover] = NO;
    conclude();
    for (std::uint64_t slice = FIRST_SLICE; !solved_.is_solved() && !budget.is_spent(); slice *= 2)
        for (Side side : {mover, 1 - mover}) {
            if (can_win_[side] != UNKNOWN || budget.is_spent() || solved_.is_solved()) continue;
            ask(side, stolen ? 0 : slice, budget);
            conclude();
        }
    budget.pause_after(0);
    if (solved_.move == NO_CELL) solved_.move = find_move(budget);
    solved_.nodes = nodes_before + budget.used();
    solved_.seconds += budget.seconds();
    return solved_;
}

// Strategy stealing shows that there is a move, not which: that is then asked like any other question.
int Solver::find_move(Budget& budget) {
    if (solved_.lower == -1) return NO_CELL;
    if (const int cell = winning_move(position_); cell != NO_CELL) return cell;
    search_.set_attacker(solved_.lower == 1 ? position_.turn() : 1 - position_.turn());
    if (!search_.settle(budget).is_solved()) return NO_CELL;
    return search_.decisive_move(budget);
}

Solver::Claims Solver::certificate(const Interrupt& interrupt) {
    Budget budget(0, 0, interrupt);
    Certificate certificate(search_, budget);
    const Side mover = position_.turn();
    bool done = true;
    if (solved_.lower == 1 || solved_.upper == -1) {
        done = certificate.claim_win(solved_.lower == 1 ? mover : 1 - mover);
    } else {
        for (Side prover : {X, O}) {
            if (prover == mover && second_player_cannot_win())
                certificate.claim_stolen_draw();
            else
                done = done && certificate.claim_draw(prover);
        }
    }
    if (!done) return {};
    return {certificate.text(), certificate.symmetries()};
}

void Solver::save(const std::string& path) const { table_.save(path, position_.game().start_key); }
void Solver::load(const std::string& path) { table_.load(path, position_.game().start_key); }

}  // namespace noughts
