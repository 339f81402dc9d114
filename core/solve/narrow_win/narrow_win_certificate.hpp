// Writes the certificates of narrow wins. Moves whose table entries were replaced are searched again.
#pragma once

#include "solve/certificate/certificate_writer.hpp"
#include "solve/narrow_win/narrow_win_search.hpp"

namespace noughts {

class NarrowWinCertificate final : public CertificateWriter {
  public:
    NarrowWinCertificate(NarrowWinSearch& search, WorkLimit& limit, std::uint64_t most_nodes)
        : CertificateWriter(search.canonical_position(), limit, most_nodes), search_(search) {}

  private:
    void begin_claim() override { search_.set_attacker(prover_); }
    std::string write_node() override;
    int find_move();

    NarrowWinSearch& search_;
};

}  // namespace noughts
