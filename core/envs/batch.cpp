#include "envs/batch.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <string>
#include <utility>

#include "rules/random_play.hpp"
#include "support/require.hpp"

namespace noughts {
namespace {

// With fewer playthroughs than this, another thread is not worth its cost.
constexpr int SMALLEST_PART = 64;
// Stands for an illegal move that loses.
constexpr Cell FORFEIT = NO_CELL - 1;

float reward_of(Side winner, Side side) { return winner == NO_SIDE ? 0.0f : winner == side ? 1.0f : -1.0f; }

}  // namespace

Batch::Start::Start(const Position& start, ObservationKind kind)
    : position(start),
      observation(observation_bytes(start.game(), kind)),
      mask(static_cast<std::size_t>(start.game().cells())) {
    write_observation(position, kind, observation);
    write_legal_mask(position, mask);
}

Batch::Batch(std::shared_ptr<const Game> game, int size, std::uint64_t seed, int threads, ObservationKind observations)
    : observations_(observations),
      starts_{Start(Position(std::move(game)), observations)},
      positions_(static_cast<std::size_t>(size), starts_.front().position),
      start_of_(static_cast<std::size_t>(size)),
      legal_(static_cast<std::size_t>(size) * static_cast<std::size_t>(this->game().words())),
      random_(static_cast<std::size_t>(size)),
      moves_(static_cast<std::size_t>(size)),
      pool_(threads) {
    allocate(size);
    this->seed(seed);
    reset();
}

Batch::Batch(const Batch& other)
    : observations_(other.observations_),
      starts_(other.starts_),
      positions_(other.positions_),
      start_of_(other.start_of_),
      legal_(other.legal_),
      random_(other.random_),
      moves_(other.moves_),
      pool_(other.threads()) {
    allocate(size());
    std::ranges::copy(other.memory_, memory_.begin());
}

// All arrays are in one piece of memory, and each begins at a cache line, because JAX does not share unaligned memory.
void Batch::allocate(int size) {
    const auto count = static_cast<std::size_t>(size);
    const auto lines_for = [](std::size_t bytes) { return (bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine); };
    const std::size_t seen = count * observation_bytes(game(), observations_);
    const std::size_t cells = static_cast<std::size_t>(game().cells());
    const std::size_t observations = lines_for(seen), masks = lines_for(count * cells);
    const std::size_t floats = lines_for(count * sizeof(float)), bytes = lines_for(count);
    memory_.resize(2 * observations + masks + floats + 2 * bytes);
    CacheLine* next = memory_.data();
    const auto take = [&next](std::size_t lines) { return std::exchange(next, next + lines)->bytes.data(); };
    arrays_.observations = {take(observations), seen};
    arrays_.final_observations = {take(observations), seen};
    arrays_.masks = {take(masks), count * cells};
    arrays_.rewards = {reinterpret_cast<float*>(take(floats)), count};
    arrays_.terminated = {take(bytes), count};
    arrays_.to_move = {reinterpret_cast<std::int8_t*>(take(bytes)), count};
}

std::span<std::uint8_t> Batch::observation(std::size_t index) const {
    const std::size_t bytes = starts_.front().observation.size();
    return arrays_.observations.subspan(index * bytes, bytes);
}
std::span<std::uint8_t> Batch::final_observation(std::size_t index) const {
    const std::size_t bytes = starts_.front().observation.size();
    return arrays_.final_observations.subspan(index * bytes, bytes);
}
std::span<std::uint8_t> Batch::mask(std::size_t index) const {
    const auto cells = static_cast<std::size_t>(game().cells());
    return arrays_.masks.subspan(index * cells, cells);
}

// Calls `work(index)` for every playthrough, in all threads.
template <typename Work>
void Batch::for_each(Work&& work) {
    pool_.run(size(), SMALLEST_PART, [&](int begin, int end) {
        for (int index = begin; index < end; ++index) work(static_cast<std::size_t>(index));
    });
}

void Batch::seed(std::uint64_t seed) {
    for (std::size_t index = 0; index < random_.size(); ++index) random_[index] = mix(mix(seed) ^ index);
}

void Batch::set_starts(std::span<const Position> starts) {
    assert(!starts.empty());
    std::vector<Start> found;
    for (const Position& start : starts) found.emplace_back(start, observations_);
    starts_ = std::move(found);
    for_each([this](std::size_t index) {
        positions_[index] = starts_[index % starts_.size()].position;
        start_of_[index] = static_cast<std::uint32_t>(index % starts_.size());
    });
    reset();
}

void Batch::reset() {
    for_each([this](std::size_t index) {
        note_nothing(index);
        begin(index, index % starts_.size());
    });
}

void Batch::restart(std::span<const std::uint8_t> chosen) {
    assert(chosen.size() == positions_.size());
    for_each([&](std::size_t index) {
        if (chosen[index] != 0) begin_next(index);
    });
}

void Batch::begin_next(std::size_t index) { begin(index, (start_of_[index] + positions_.size()) % starts_.size()); }

// A position can be rewound to its own start only.
void Batch::begin(std::size_t index, std::size_t number) {
    const Start& start = starts_[number];
    if (start_of_[index] == number)
        positions_[index].rewind(start.position);
    else
        positions_[index] = start.position;
    start_of_[index] = static_cast<std::uint32_t>(number);
    note_legal(index);
    std::ranges::copy(start.observation, observation(index).begin());
    std::ranges::copy(start.mask, mask(index).begin());
    arrays_.to_move[index] = static_cast<std::int8_t>(noughts::index(start.position.turn()));
}

void Batch::note_nothing(std::size_t index) {
    arrays_.rewards[index] = 0;
    arrays_.terminated[index] = 0;
}

// Keeps the legal moves as bits too: callers can write to the masks, which must not decide what is legal.
void Batch::note_legal(std::size_t index) {
    const auto legal = positions_[index].legal_cells();
    Word* words = legal_.data() + index * static_cast<std::size_t>(game().words());
    for (int w = 0; w < game().words(); ++w) words[w] = legal.word(w);
}

bool Batch::is_legal(std::size_t index, std::int64_t move) const {
    if (move < 0 || move >= game().cells()) return false;
    const auto cell = static_cast<Cell>(move);
    return contains(legal_[index * static_cast<std::size_t>(game().words()) + word_of(cell)], cell);
}

void Batch::write_state(std::size_t index) {
    note_legal(index);
    const Position& position = positions_[index];
    const auto seen = observation(index);
    const auto cells = static_cast<std::size_t>(game().cells());
    write_observation(position, observations_, seen);
    if (observations_ == ObservationKind::PLANES)
        std::ranges::copy(seen.subspan(PLAYABLE * cells, cells), mask(index).begin());
    else
        write_legal_mask(position, mask(index));
    arrays_.to_move[index] = static_cast<std::int8_t>(noughts::index(position.turn()));
}

// `moves` may be one of the arrays that this function writes, or be changed by another thread: each move is read once,
// before it is checked.
int Batch::step(std::span<const std::int64_t> moves, std::span<const std::uint8_t> active, IllegalMoves illegal) {
    assert(moves.size() == positions_.size() && (active.empty() || active.size() == positions_.size()));
    std::atomic<int> first_illegal{size()};
    for_each([&](std::size_t index) {
        moves_[index] = NO_CELL;
        if (!active.empty() && active[index] == 0) return;
        const std::int64_t move = moves[index];
        if (is_legal(index, move)) {
            moves_[index] = static_cast<Cell>(move);
            return;
        }
        if (illegal == IllegalMoves::LOSE) {
            moves_[index] = FORFEIT;
            return;
        }
        int first = first_illegal.load();
        while (static_cast<int>(index) < first && !first_illegal.compare_exchange_weak(first, static_cast<int>(index)));
    });
    if (first_illegal.load() < size()) return first_illegal.load();
    for_each([&](std::size_t index) {
        note_nothing(index);
        if (moves_[index] != NO_CELL) step_one(index, moves_[index]);
    });
    return NONE;
}

void Batch::step_one(std::size_t index, Cell cell) {
    if (cell == FORFEIT) {
        end(index, -1);
        return;
    }
    Position& position = positions_[index];
    const Side mover = position.turn();
    position.play(cell);
    if (position.is_over())
        end(index, reward_of(position.winner(), mover));
    else
        write_state(index);
}

void Batch::end(std::size_t index, float reward) {
    arrays_.rewards[index] = reward;
    arrays_.terminated[index] = 1;
    write_observation(positions_[index], observations_, final_observation(index));
    begin_next(index);
}

// Precondition: the playthrough is not over.
void Batch::choose_randomly(std::span<std::int64_t> moves) {
    assert(moves.size() == positions_.size());
    for_each([&](std::size_t index) { moves[index] = random_move(positions_[index], random_[index]); });
}

void Batch::roll_out(std::span<float> results) {
    assert(results.size() == positions_.size());
    for_each([&](std::size_t index) {
        Position& position = positions_[index];
        const Side side = position.turn();
        const int ply = position.ply();
        while (!position.is_over()) position.play(random_move(position, random_[index]));
        results[index] = reward_of(position.winner(), side);
        while (position.ply() > ply) position.undo();
    });
}

// Callers can write to these arrays, so values that `load` would reject are rejected here.
Batch::StepResult Batch::result_of_step(std::size_t index) const {
    const float reward = arrays_.rewards[index];
    const std::uint8_t terminated = arrays_.terminated[index];
    const auto place = [&] { return " in playthrough " + std::to_string(index); };
    require(reward == -1 || reward == 0 || reward == 1,
            "expected rewards of -1, 0 or 1 to save, got " + std::to_string(reward) + place());
    require(terminated <= 1, "expected terminated to be 0 or 1 to save, got " + std::to_string(terminated) + place());
    return {static_cast<std::int8_t>(reward), terminated};
}

std::uint64_t Batch::hash_of_starts() const {
    std::uint64_t hash = starts_.size();
    for (const Start& start : starts_) hash = mix(hash ^ start.position.hash());
    return hash;
}

void Batch::save(SnapshotWriter& out) const {
    out.write_header(SnapshotKind::BATCH, game().fingerprint());
    out.write(static_cast<std::uint32_t>(size()));
    out.write(static_cast<std::uint8_t>(observations_));
    out.write(hash_of_starts());
    for (std::size_t index = 0; index < positions_.size(); ++index) {
        const Position& position = positions_[index];
        out.write(random_[index]);
        out.write(start_of_[index]);
        out.write(static_cast<std::uint16_t>(position.ply()));
        for (int ply = 0; ply < position.ply(); ++ply) out.write(static_cast<std::uint16_t>(position.move_at(ply)));
        const auto [reward, terminated] = result_of_step(index);
        out.write(reward);
        out.write(terminated);
        if (terminated)
            for (const std::uint8_t byte : final_observation(index)) out.write(byte);
    }
    out.flush();
}

void Batch::load(SnapshotReader& in) {
    in.expect_header(SnapshotKind::BATCH, game().fingerprint());
    expect_in_snapshot(in.read<std::uint32_t>() == static_cast<std::uint32_t>(size()), "a batch of the same size");
    expect_in_snapshot(in.read<std::uint8_t>() == static_cast<std::uint8_t>(observations_),
                       "a batch with the same observations");
    expect_in_snapshot(in.read<std::uint64_t>() == hash_of_starts(), "a batch with the same starts");
    Batch loaded(*this);
    for (std::size_t index = 0; index < positions_.size(); ++index) {
        Position& position = loaded.positions_[index];
        loaded.random_[index] = in.read<std::uint64_t>();
        const auto start = in.read<std::uint32_t>();
        expect_in_snapshot(start < starts_.size(), "starts of the batch");
        loaded.begin(index, start);
        for (int left = in.read<std::uint16_t>(); left > 0; --left) {
            const Cell cell = in.read<std::uint16_t>();
            expect_in_snapshot(position.is_legal(cell), "legal moves");
            position.play(cell);
        }
        expect_in_snapshot(!position.is_over(), "playthroughs that are not over");
        loaded.write_state(index);
        const auto reward = in.read<std::int8_t>();
        expect_in_snapshot(reward >= -1 && reward <= 1, "rewards from -1 to 1");
        loaded.arrays_.rewards[index] = reward;
        loaded.arrays_.terminated[index] = in.read<std::uint8_t>();
        expect_in_snapshot(loaded.arrays_.terminated[index] <= 1, "a playthrough that has or has not ended");
        if (loaded.arrays_.terminated[index])
            for (std::uint8_t& byte : loaded.final_observation(index)) byte = in.read<std::uint8_t>();
    }
    in.expect_end();
    positions_.swap(loaded.positions_);
    start_of_.swap(loaded.start_of_);
    legal_.swap(loaded.legal_);
    random_.swap(loaded.random_);
    std::ranges::copy(loaded.memory_, memory_.begin());
}

}  // namespace noughts
