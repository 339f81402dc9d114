#include "solve/narrow_win/narrow_win_method.hpp"

#include "solve/narrow_win/narrow_win_certificate.hpp"

namespace noughts {
namespace {

constexpr std::uint64_t FIRST_NARROW_SHARE = 10'000;    // nodes for the first side before the other side gets its turn
constexpr std::uint64_t MOST_NARROW_NODES = 1'000'000;  // for each side, in all

}  // namespace

NarrowWinMethod::NarrowWinMethod(const Position& position, const Symmetry& symmetry, std::size_t megabytes)
    : search_(position, symmetry, megabytes) {}

void NarrowWinMethod::start_from(const Position& position) {
    search_.start_from(position);
    nodes_ = {{0, 0}};
    winner_ = NO_SIDE;
}

void NarrowWinMethod::solve(SolveTask& task) {
    for (std::uint64_t share = FIRST_NARROW_SHARE; share <= MOST_NARROW_NODES; share *= 2)
        for (const Side side : {task.mover, opponent(task.mover)}) {
            if (winner_ != NO_SIDE || nodes_[side] >= share || task.limit.is_spent()) continue;
            look_for_win(side, share - nodes_[side], task.limit);
        }
    if (winner_ == NO_SIDE) return;
    task.result.lower = task.result.upper = winner_ == task.mover ? 1 : -1;
    if (winner_ == task.mover) task.result.move = search_.winning_attack(task.limit);
}

void NarrowWinMethod::look_for_win(Side attacker, std::uint64_t share, WorkLimit& limit) {
    const std::uint64_t before = limit.nodes();
    limit.set_share(share);
    const ProofNumbers numbers = search_.search(attacker, limit);
    limit.set_share(WorkLimit::UNLIMITED);
    nodes_[attacker] += limit.nodes() - before;
    if (numbers.is_proved()) winner_ = attacker;
    if (numbers.is_solved()) nodes_[attacker] = MOST_NARROW_NODES;
}

void NarrowWinMethod::report(SolveProgress& progress, std::uint64_t) const {
    progress.attacker = search_.attacker();
    progress.numbers = search_.root_numbers();
    progress.table = search_.table().use();
    progress.path = search_.path();
}

Certificate NarrowWinMethod::prove(const Claims& claims, CertificateTask& task) {
    return task.run(NarrowWinCertificate(search_, task.limit, MOST_CERTIFICATE_NODES), claims);
}

void NarrowWinMethod::save(SnapshotWriter& out) const {
    out.write_header(SnapshotKind::NARROW_WINS, position().game().fingerprint());
    out.write(position().hash());
    for (const std::uint64_t nodes : nodes_) out.write(nodes);
    search_.table().save_entries(out);
}

void NarrowWinMethod::load(SnapshotReader& in) {
    in.expect_header(SnapshotKind::NARROW_WINS, position().game().fingerprint());
    const bool is_same_position = in.read<std::uint64_t>() == position().hash();
    PerSide<std::uint64_t> nodes;
    for (std::uint64_t& count : nodes) count = in.read<std::uint64_t>();
    try {
        search_.table().load_entries(in, position().game().cells());
    } catch (...) {
        clear();
        throw;
    }
    if (is_same_position) nodes_ = nodes;
}

void NarrowWinMethod::clear() {
    search_.table().clear();
    nodes_ = {{0, 0}};
}

}  // namespace noughts
