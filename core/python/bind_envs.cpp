// Positions as arrays, and batches of playthroughs.
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <initializer_list>

#include "envs/batch.hpp"
#include "envs/planes.hpp"
#include "python/arrays.hpp"

namespace noughts::python {
namespace {

constexpr int MAX_BATCH_SIZE = 1 << 20;

std::span<std::uint8_t> as_bytes(std::span<bool> flags) {
    static_assert(sizeof(bool) == 1);
    return {reinterpret_cast<std::uint8_t*>(flags.data()), flags.size()};
}

void fill_planes(const Position& position, nb::handle out) {
    write_planes(position, memory_of<std::uint8_t>(out, plane_bytes(position.game()), "uint8, writable,"));
}

void fill_legal_mask(const Position& position, nb::handle out) {
    const auto cells = static_cast<std::size_t>(position.game().cells());
    write_legal_mask(position, as_bytes(memory_of<bool>(out, cells, "bool, writable,")));
}

// A batch that several Python threads may share.
struct SharedBatch : Batch {
    SharedBatch(std::shared_ptr<const Game> game, int size, std::uint64_t seed, int threads, int kind)
        : Batch(std::move(game), checked("playthroughs", size, MAX_BATCH_SIZE), seed,
                checked("threads", threads, MAX_THREADS), as_kind(kind)) {}
    mutable InUse in_use;

    SharedBatch(const Batch& other) : Batch(other) {}

  private:
    static ObservationKind as_kind(int number) {
        require_range("a kind of observations", number, 0, static_cast<int>(ObservationKind::BITS));
        return static_cast<ObservationKind>(number);
    }
    static int checked(const char* what, int count, int most) {
        require_range(what, count, 1, most);
        return count;
    }
};

// Runs the work without the interpreter lock; other threads cannot use the batch during that time.
template <typename Work>
auto run(const SharedBatch& batch, Work&& work) {
    const InUse::Lock lock(batch.in_use, "batch");
    return Call().run(std::forward<Work>(work));
}

template <typename Item>
nb::object view(nb::handle self, Item* data, std::initializer_list<std::size_t> shape) {
    return nb::cast(nb::ndarray<nb::numpy, Item>(data, shape, self));
}

nb::dict arrays(nb::handle self) {
    const auto& batch = nb::cast<const SharedBatch&>(self);
    const BatchArrays& memory = batch.arrays();
    const auto size = static_cast<std::size_t>(batch.size()), cells = static_cast<std::size_t>(batch.game().cells());
    const std::size_t seen = observation_bytes(batch.game(), batch.observations());
    nb::dict found;
    found["observations"] = view(self, memory.observations.data(), {size, seen});
    found["final_observations"] = view(self, memory.final_observations.data(), {size, seen});
    found["masks"] = view(self, reinterpret_cast<bool*>(memory.masks.data()), {size, cells});
    found["rewards"] = view(self, memory.rewards.data(), {size});
    found["terminated"] = view(self, reinterpret_cast<bool*>(memory.terminated.data()), {size});
    found["to_move"] = view(self, memory.to_move.data(), {size});
    return found;
}

int step(SharedBatch& batch, nb::handle moves, nb::handle active, bool illegal_loses) {
    const auto size = static_cast<std::size_t>(batch.size());
    const auto cells = memory_of<const std::int64_t>(moves, size, "int64");
    std::span<const std::uint8_t> chosen;
    if (!active.is_none()) {
        const auto flags = memory_of<const bool>(active, size, "bool");
        chosen = {reinterpret_cast<const std::uint8_t*>(flags.data()), flags.size()};
    }
    const IllegalMoves illegal = illegal_loses ? IllegalMoves::LOSE : IllegalMoves::STOP;
    return run(batch, [&] { return batch.step(cells, chosen, illegal); });
}

void reset(SharedBatch& batch) {
    run(batch, [&] {
        batch.reset();
        return true;
    });
}

void set_starts(SharedBatch& batch, const std::vector<const Position*>& starts) {
    require(!starts.empty(), "expected at least one start, got none");
    std::vector<Position> found;
    for (const Position* start : starts) {
        require(start->shared_game().get() == &batch.game(), "expected starts of the game of the batch");
        require(start->ply() == 0, "expected starts without moves before them");
        require(!start->is_over(), "expected starts that are not over");
        found.push_back(*start);
    }
    run(batch, [&] {
        batch.set_starts(found);
        return true;
    });
}

void restart(SharedBatch& batch, nb::handle chosen) {
    const auto flags = memory_of<const bool>(chosen, static_cast<std::size_t>(batch.size()), "bool");
    run(batch, [&] {
        batch.restart({reinterpret_cast<const std::uint8_t*>(flags.data()), flags.size()});
        return true;
    });
}

int start_of(const SharedBatch& batch, int index) {
    require_range("an index", index, 0, batch.size() - 1);
    const InUse::Lock lock(batch.in_use, "batch");
    return batch.start_of(index);
}

void seed(SharedBatch& batch, std::uint64_t seed) {
    run(batch, [&] {
        batch.seed(seed);
        return true;
    });
}

void choose_randomly(SharedBatch& batch, nb::handle out) {
    const auto moves = memory_of<std::int64_t>(out, static_cast<std::size_t>(batch.size()), "int64, writable,");
    run(batch, [&] {
        batch.choose_randomly(moves);
        return true;
    });
}

void roll_out(SharedBatch& batch, nb::handle out) {
    const auto results = memory_of<float>(out, static_cast<std::size_t>(batch.size()), "float32, writable,");
    run(batch, [&] {
        batch.roll_out(results);
        return true;
    });
}

std::unique_ptr<SharedBatch> clone(const SharedBatch& batch) {
    return run(batch, [&] { return std::make_unique<SharedBatch>(static_cast<const Batch&>(batch)); });
}

nb::bytes save_batch(const SharedBatch& batch) {
    const std::vector<char> saved = run(batch, [&] {
        std::vector<char> bytes;
        SnapshotWriter out([&](std::span<const char> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
        batch.save(out);
        return bytes;
    });
    return nb::bytes(saved.data(), saved.size());
}

void load_batch(SharedBatch& batch, nb::bytes saved) {
    std::span<const char> left(saved.c_str(), saved.size());
    const auto read = [&left](std::span<char> room) {
        const std::size_t size = std::min(room.size(), left.size());
        std::copy_n(left.data(), size, room.data());
        left = left.subspan(size);
        return size;
    };
    const std::string error = run(batch, [&] {
        try {
            SnapshotReader in(read, "batch");
            batch.load(in);
            return std::string();
        } catch (const InvalidSnapshot& invalid) {
            return std::string(invalid.what());
        }
    });
    require(error.empty(), error);
}

Position position(const SharedBatch& batch, int index) {
    require_range("an index", index, 0, batch.size() - 1);
    const InUse::Lock lock(batch.in_use, "batch");
    return batch.position(index);
}

}  // namespace

void bind_envs(nb::module_& m) {
    m.def(
        "planes_of", [](const Game& game) { return planes_of(game); }, "game"_a,
        "Return the number of planes of an observation.");
    m.def("fill_planes", &fill_planes, "position"_a, "out"_a.none(),
          "Write the planes of a position into a uint8 array.");
    m.def("fill_legal_mask", &fill_legal_mask, "position"_a, "out"_a.none(),
          "Write the legal moves of a position into a bool array.");
    nb::class_<SharedBatch>(m, "Batch", "The compiled part of noughts.envs.Batch.")
        .def(nb::init<std::shared_ptr<const Game>, int, std::uint64_t, int, int>(), "game"_a, "size"_a, "seed"_a,
             "threads"_a, "observations"_a)
        .def_prop_ro("size", &SharedBatch::size)
        .def_prop_ro("threads", &SharedBatch::threads)
        .def("arrays", &arrays, nb::sig("def arrays(self) -> dict[str, Any]"),
             "Return views of the memory of the batch as NumPy arrays, by name.")
        .def("step", &step, "moves"_a.none(), "active"_a.none(), "illegal_loses"_a = false,
             "Play the moves; returns -1, or the first index with an illegal move, and then nothing was played.")
        .def("reset", &reset, "Start all playthroughs again.")
        .def("set_starts", &set_starts, "starts"_a, "Set where playthroughs begin, and start them all again.")
        .def("restart", &restart, "chosen"_a.none(), "Start the playthroughs where a flag is set at their next starts.")
        .def("start_of", &start_of, "index"_a, "Return the number of the start of a playthrough.")
        .def("seed", &seed, "seed"_a, "Set the seed of the random moves.")
        .def("choose_randomly", &choose_randomly, "out"_a.none(), "Write a random legal move for each playthrough.")
        .def("roll_out", &roll_out, "out"_a.none(),
             "Write the result of random play from each position, for the side to move.")
        .def("clone", &clone, "Return an independent copy.")
        .def("save", &save_batch, "Return the state as bytes.")
        .def("load", &load_batch, "saved"_a,
             "Restore a saved state. Raises ValueError, and changes nothing, if it does not fit.")
        .def("position", &position, "index"_a, "Return a copy of a position.");
}

}  // namespace noughts::python
