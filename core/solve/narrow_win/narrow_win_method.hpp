// Looks for narrow wins in games where won blocks stay open. There, a side can be sent to the same block until the
// block is full, so that narrow attacks often win. Comes before the exhaustive search, which has to solve most
// positions.
#pragma once

#include "solve/method.hpp"
#include "solve/narrow_win/narrow_win_search.hpp"

namespace noughts {

class NarrowWinMethod final : public Method {
  public:
    // The symmetry must outlive this object.
    NarrowWinMethod(const Position& position, const Symmetry& symmetry, std::size_t megabytes);

    void start_from(const Position& position) override;
    void solve(SolveTask& task) override;
    void report(SolveProgress& progress, std::uint64_t nodes) const override;
    Certificate prove(const Claims& claims, CertificateTask& task) override;
    void save(SnapshotWriter& out) const override;
    void load(SnapshotReader& in) override;
    void clear() override;

  private:
    const Position& position() const { return search_.canonical_position().position(); }
    void look_for_win(Side attacker, std::uint64_t share, WorkLimit& limit);

    NarrowWinSearch search_;
    PerSide<std::uint64_t> nodes_ = {{0, 0}};  // spent on looking for a win of each side
    Side winner_ = NO_SIDE;
};

}  // namespace noughts
