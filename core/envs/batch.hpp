// Many playthroughs of one game that are stepped at the same time, with their observations as arrays.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "envs/planes.hpp"
#include "rules/position.hpp"
#include "support/snapshot.hpp"
#include "support/worker_pool.hpp"

namespace noughts {

// Views of the batch's memory, which are valid as long as the batch exists.
struct BatchArrays {
    std::span<std::uint8_t> observations;  // size x observation_bytes, see planes.hpp
    // Observations at the end of the playthroughs that the last step ended.
    std::span<std::uint8_t> final_observations;
    std::span<std::uint8_t> masks;       // size x cells: the legal moves
    std::span<float> rewards;            // of the last step, for the side that moved
    std::span<std::uint8_t> terminated;  // 1 where the last step ended a playthrough
    std::span<std::int8_t> to_move;      // 0 for X, 1 for O
};

// What an illegal move does: nothing is played, or the side that made it loses.
enum class IllegalMoves : std::uint8_t { STOP, LOSE };

class Batch {
  public:
    static constexpr int NONE = -1;

    // `seed` determines all random moves, regardless of the number of threads.
    Batch(std::shared_ptr<const Game> game, int size, std::uint64_t seed, int threads,
          ObservationKind observations = ObservationKind::PLANES);
    Batch(const Batch& other);
    Batch& operator=(const Batch&) = delete;

    int size() const { return static_cast<int>(positions_.size()); }
    int threads() const { return pool_.threads(); }
    const Game& game() const { return starts_.front().position.game(); }
    ObservationKind observations() const { return observations_; }
    const Position& position(int index) const { return positions_[static_cast<std::size_t>(index)]; }
    const BatchArrays& arrays() const { return arrays_; }

    // Sets where playthroughs begin, by default at the empty board, and restarts them all. Playthrough `i` of `size`
    // begins at start i, and each time it ends at the start that is `size` further on; after the last start comes the
    // first. Precondition: there is a start; all are of this game, without moves before them, and not over.
    void set_starts(std::span<const Position> starts);
    // The number of the start at which a playthrough began.
    int start_of(int index) const { return static_cast<int>(start_of_[static_cast<std::size_t>(index)]); }

    // Restarts every playthrough at its first start.
    void reset();
    // Restarts the playthroughs where `chosen` is not 0, each at its next start.
    void restart(std::span<const std::uint8_t> chosen);
    void seed(std::uint64_t seed);

    // Plays a move in every playthrough or, if `active` is not empty, where it is not 0. A playthrough that ends
    // restarts at once. Returns NONE, or if illegal moves stop, the first index with one; in that case nothing was
    // played. If they lose, the playthrough ends where it stands, and so does its final observation.
    int step(std::span<const std::int64_t> moves, std::span<const std::uint8_t> active,
             IllegalMoves illegal = IllegalMoves::STOP);

    // Writes a uniformly random legal move for each playthrough.
    void choose_randomly(std::span<std::int64_t> moves);

    // Plays random moves to the end of each playthrough and takes them back. Writes the results for the side to move:
    // 1, 0 or -1.
    void roll_out(std::span<float> results);

    // Saves and loads everything but the number of threads and the starts, which must be the same. `save` throws
    // std::invalid_argument if rewards or ends were overwritten with values that no step writes; `load` throws
    // InvalidSnapshot and then changes nothing.
    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);

  private:
    struct alignas(64) CacheLine {
        std::array<std::uint8_t, 64> bytes;
    };

    struct Start {
        Start(const Position& start, ObservationKind kind);
        Position position;
        std::vector<std::uint8_t> observation, mask;
    };

    struct StepResult {
        std::int8_t reward;
        std::uint8_t terminated;
    };

    void allocate(int size);
    void step_one(std::size_t index, Cell cell);
    // Ends a playthrough with a reward for the side that moved, and begins the next.
    void end(std::size_t index, float reward);
    void note_nothing(std::size_t index);
    StepResult result_of_step(std::size_t index) const;
    void note_legal(std::size_t index);
    bool is_legal(std::size_t index, std::int64_t move) const;
    // Begins a playthrough at a start, and writes its state.
    void begin(std::size_t index, std::size_t start);
    void begin_next(std::size_t index);
    void write_state(std::size_t index);
    template <typename Work>
    void for_each(Work&& work);
    std::span<std::uint8_t> observation(std::size_t index) const;
    std::span<std::uint8_t> final_observation(std::size_t index) const;
    std::span<std::uint8_t> mask(std::size_t index) const;

    std::uint64_t hash_of_starts() const;

    ObservationKind observations_;
    std::vector<Start> starts_;
    std::vector<Position> positions_;
    std::vector<std::uint32_t> start_of_;  // the start of each playthrough
    std::vector<Word> legal_;              // size x words: the legal moves
    std::vector<std::uint64_t> random_;    // state of the random generator of each playthrough
    std::vector<Cell> moves_;              // of the current step; NO_CELL where no move is made, or FORFEIT
    std::vector<CacheLine> memory_;
    BatchArrays arrays_;
    WorkerPool pool_;
};

}  // namespace noughts
