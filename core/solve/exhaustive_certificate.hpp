// Certificates from an exhaustive search: moves are found again with the table of the solver.
#pragma once

#include "solve/certificate_writer.hpp"
#include "solve/exhaustive_solver.hpp"

namespace noughts {

class ExhaustiveCertificate final : public CertificateWriter {
  public:
    ExhaustiveCertificate(ExhaustiveSolver& solver, KeyedPosition& keyed, WorkLimit& limit, std::uint64_t most_nodes)
        : CertificateWriter(keyed, limit, most_nodes), solver_(solver) {}

  private:
    void begin_claim() override;
    std::string write_node() override;
    bool holds();
    bool goal_is_met();
    int find_move();
    std::vector<int> legal_moves();

    ExhaustiveSolver& solver_;
};

}  // namespace noughts
