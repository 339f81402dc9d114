// Solves games with gravity, misère or several blocks by search to the end of the game. The arguments that proof-number
// search needs do not hold there, but there are few moves to choose from.
#pragma once

#include "rules/symmetry.hpp"
#include "solve/exhaustive/exhaustive_solver.hpp"
#include "solve/method.hpp"

namespace noughts {

class ExhaustiveMethod final : public Method {
  public:
    // The symmetry must outlive this object.
    ExhaustiveMethod(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads);

    void start_from(const Position& position) override;
    void solve(SolveTask& task) override;
    void report(SolveProgress& progress, std::uint64_t nodes) const override;
    Certificate prove(const Claims& claims, CertificateTask& task) override;
    void save(SnapshotWriter& out) const override { solver_.save(out); }
    void load(SnapshotReader& in) override { solver_.load(in); }
    void clear() override { solver_.clear(); }

  private:
    Position position_;
    const Symmetry& symmetry_;
    ExhaustiveSolver solver_;
};

}  // namespace noughts
