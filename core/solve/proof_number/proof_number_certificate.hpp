// Writes certificates from proof-number search. Positions whose table entries were replaced are searched again.
#pragma once

#include <string>
#include <vector>

#include "solve/certificate/certificate_writer.hpp"
#include "solve/proof_number/proof_number_search.hpp"

namespace noughts {

class ProofNumberCertificate final : public CertificateWriter {
  public:
    ProofNumberCertificate(ProofNumberSearch& search, WorkLimit& limit)
        : CertificateWriter(search.canonical_position(), limit, WorkLimit::UNLIMITED), search_(search) {}

  private:
    // A reply that `by` dominates: the answer to `by` also answers it.
    struct Dominated {
        int reply, by;
    };
    struct Replies {
        std::vector<int> listed;
        std::vector<Dominated> dominated;
    };

    void begin_claim() override { search_.set_attacker(goal_ == 1 ? prover_ : opponent(prover_)); }
    std::string write_node() override;
    std::string write_draw_argument();  // empty if none applies
    std::string write_move();           // when the prover is to move
    std::string write_replies();        // when the opponent is to move
    std::vector<int> default_sequence();
    Replies without_dominated(const std::vector<int>& replies);
    int top_dominator(int cell);

    ProofNumberSearch& search_;
};

}  // namespace noughts
