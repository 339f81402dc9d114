// The solver: proves the value of a position, or bounds for it if a limit ends the work.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "rules/symmetry.hpp"
#include "solve/method.hpp"
#include "solve/proof_number/proof_number_search.hpp"

namespace noughts {

class Solver {
  public:
    // Called about four times a second; false ends the work.
    using Progress = std::function<bool(const SolveProgress&)>;
    using CertificateReport = std::function<bool(const CertificateProgress&)>;

    // The symmetry must outlive the solver. The number of threads does not affect the value.
    Solver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads = 1,
           ProofTechniques techniques = {});

    // Solves the position, continuing where the last call ended, or where the saved solve ended.
    SolveResult solve(const Limits& limits, const Progress& progress = {}, const Interrupt& interrupt = {});

    // From now on, solves only whether `attacker` can force a win. The certificate then has one claim: the attacker
    // wins, or the opponent at least draws. NO_SIDE, the default, asks for the value.
    void ask_only(Side attacker) { question_ = attacker; }

    // Whether the answer to the question is known.
    bool is_solved() const { return result_.answers(question_, position_.turn()); }
    bool is_of(const Game& game) const { return &position_.game() == &game; }

    // Turns to another position of the same game and keeps the tables. Returns false, and changes nothing, if a new
    // solver is needed instead.
    bool turn_to(const Position& position);

    // Writes a certificate. The position must be solved and not over. Throws CertificateError if the certificate would
    // be too long or `stop` was called, and Interrupted.
    Certificate certificate(const Interrupt& interrupt = {}, const CertificateReport& report = {});

    // Ends the running solve or certificate; if there is none, the next one. May be called from any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    // Saves the tables, to continue later; may be called from a progress report. `load` throws InvalidSnapshot.
    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);

  private:
    void run_methods(WorkLimit& limit);
    SolveProgress progress_of(const WorkLimit& limit);
    Claims claims() const;

    Position position_;
    std::vector<std::unique_ptr<Method>> methods_;  // tried in this order
    Method* method_;                                // the method that is running, or ran last
    Side question_ = NO_SIDE;
    SolveResult result_;
    SteadyEstimate share_;
    std::atomic<bool> stop_{false};
};

}  // namespace noughts
