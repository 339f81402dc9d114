// Solves static games, where draw arguments and forced wins settle most positions without search.
#pragma once

#include "solve/breaker/breaker_questions.hpp"
#include "solve/method.hpp"
#include "solve/parallel/search_team.hpp"
#include "solve/proof_number/proof_number_search.hpp"
#include "solve/proof_number/proof_table.hpp"
#include "solve/quiet_win/quiet_win_questions.hpp"

namespace noughts {

// Asks for each side whether it can force a win, by proof-number search, on large boards also by a search for wins by
// quiet moves and, where lines are long, by the Maker-Breaker game. The first and the last share one table.
class ProofNumberMethod final : public Method {
  public:
    // The symmetry must outlive this object.
    ProofNumberMethod(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads,
                      ProofTechniques techniques);

    void start_from(const Position& position) override;
    void solve(SolveTask& task) override;
    void report(SolveProgress& progress, std::uint64_t nodes) const override;
    Certificate prove(const Claims& claims, CertificateTask& task) override;
    void save(SnapshotWriter& out) const override;
    void load(SnapshotReader& in) override;
    void clear() override { table_.clear(); }
    bool survives_fork() const override { return team_.threads() == 1; }

  private:
    void ask_all(SolveTask& task);
    void ask(Side attacker, std::uint64_t share, SolveTask& task);
    bool may_ask_breaker(Side breaker, const SolveTask& task) const;
    void ask_breaker(Side breaker, std::uint64_t share, SolveTask& task);
    void ask_quiet(Side attacker, std::uint64_t share, SolveTask& task);
    void conclude(SolveResult& result) const;
    int find_move(SolveTask& task);

    Position position_;
    const Symmetry& symmetry_;
    ProofTechniques techniques_;
    int threads_;
    ProofTable table_;
    SearchTeam<ProofNumberSearch> team_;
    BreakerQuestions breaker_;
    QuietWinQuestions quiet_;
    PerSide<Answer> can_win_ = {{Answer::UNKNOWN, Answer::UNKNOWN}};
};

}  // namespace noughts
