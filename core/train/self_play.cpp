#include "train/self_play.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "search/engine.hpp"
#include "search/evaluate.hpp"
#include "tactics/threat_map.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr auto POLL = std::chrono::milliseconds(20);
// Where random moves are played on boards with strips: least centrality of a first move, then distance from marks.
constexpr int MIN_FIRST_CENTRALITY = 45, NEAR = 2;
constexpr int MIN_CELLS_FOR_NEAR = 65;  // on smaller boards, random moves may be anywhere
constexpr int MOST_CELLS_PLAYED_TO_THE_END = 25;
constexpr std::int8_t UNKNOWN = 2;

// --- rows ---------------------------------------------------------------------------------------------------------

template <typename T>
void put(std::vector<char>& bytes, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i) bytes.push_back(reinterpret_cast<const char*>(&value)[i]);
}

struct Row {
    static constexpr int RESULT = 12;

    Side turn;
    std::vector<char> bytes;
    bool is_aside = false;  // the position is not part of the playthrough

    char& result() { return bytes[RESULT]; }
};

char encode(Side side, Side turn) { return side == NO_SIDE ? 0 : side == turn ? 1 : 2; }
char encode(Owner owner, Side turn) { return owner == Owner::DEAD ? 3 : encode(winner_of(owner), turn); }

Row make_row(const Position& position, const RootVariation& best, int evaluation) {
    Row row{position.turn(), {}, false};
    put<std::int32_t>(row.bytes, std::clamp(best.score, -MOST_ESTIMATED, MOST_ESTIMATED));
    put<std::int32_t>(row.bytes, evaluation);
    put<std::int16_t>(row.bytes, static_cast<std::int16_t>(best.move));
    put<std::int16_t>(row.bytes, static_cast<std::int16_t>(position.ply()));
    put<std::int8_t>(row.bytes, UNKNOWN);
    put<std::int8_t>(row.bytes, static_cast<std::int8_t>(position.block_to_play()));
    put<std::uint8_t>(row.bytes, position.game().counts_blocks());
    put<std::uint8_t>(row.bytes, best.proven);
    for (int cell = 0; cell < position.game().cells(); ++cell) row.bytes.push_back(encode(position.at(cell), row.turn));
    for (int block = 0; block < position.game().blocks(); ++block)
        row.bytes.push_back(encode(position.owner(block), row.turn));
    return row;
}

// --- playthroughs -------------------------------------------------------------------------------------------------

// The randomness of playthroughs. On a board of 80 cells or more, up to 14 random moves come first; then one move in 25
// is random up to ply 40. On smaller boards fewer random moves come first, since they would be most of the game, and
// more come later.
struct Randomness {
    static constexpr int MAX_OPENING_PLIES = 14, UNTIL_PLY = 40;

    int opening_plies, percent;

    explicit Randomness(const Game& game)
        : opening_plies(std::clamp(game.cells() / 3, 1, MAX_OPENING_PLIES)),
          percent(std::clamp(320 / game.cells(), 4, 25)) {}
};

// Plays playthroughs in one thread.
class Player {
  public:
    Player(std::shared_ptr<const Game> game, const SelfPlay& plan, const std::atomic<bool>& stop)
        : game_(std::move(game)),
          strips_(ThreatMap::strips_of(*game_)),
          plan_(plan),
          stop_(stop),
          randomness_(*game_),
          engine_(1, plan.nodes < 2000 ? 1 : 8, plan.network),
          network_(network_of(*game_, plan.network)) {}

    // The rows of a playthrough; empty if it was stopped.
    std::vector<Row> play(std::uint64_t number) {
        std::mt19937_64 random(mix(mix(plan_.seed) ^ number));
        Position position(game_);
        std::vector<Row> rows;
        std::size_t first_known = 0;  // the result does not count for rows before the last random move
        engine_.clear();
        for (int plies = static_cast<int>(random() % (randomness_.opening_plies + 1)); plies > 0; --plies) {
            position.play(random_move(position, random));
            if (position.is_over()) return {};
        }
        Side winner = NO_SIDE;
        while (!stop_.load(std::memory_order_relaxed)) {
            if (position.is_over()) {
                winner = position.winner();
                break;
            }
            const RootVariation best = search(position, rows);
            if (best.proven && is_decided(best.score) && game_->cells() > MOST_CELLS_PLAYED_TO_THE_END) {
                winner = is_win(best.score) ? position.turn() : opponent(position.turn());
                break;
            }
            if (game_->has_one_block()) step_aside(position, random, rows);
            const bool is_random =
                position.ply() < Randomness::UNTIL_PLY && static_cast<int>(random() % 100) < randomness_.percent;
            if (is_random) first_known = rows.size();
            position.play(is_random ? random_move(position, random) : best.move);
        }
        for (std::size_t i = first_known; i < rows.size(); ++i)
            if (!rows[i].is_aside)
                rows[i].result() = static_cast<char>(winner == NO_SIDE ? 0 : winner == rows[i].turn ? 1 : -1);
        return rows;
    }

  private:
    // Searches a position and adds a row for it, unless a line can be completed or must be stopped.
    RootVariation search(const Position& position, std::vector<Row>& rows) {
        const Interrupt interrupt = [this] { return stop_.load(std::memory_order_relaxed); };
        RootVariation best = engine_.search(position, {.nodes = plan_.nodes}, 1, {}, interrupt).lines[0];
        if (winning_move(position) != NO_CELL) return best;
        if (has_direct_threats(position.game()) && threat_against(position).count > 0) return best;
        rows.push_back(make_row(position, best, evaluation(position)));
        return best;
    }

    // Adds a row for the position after a random move.
    void step_aside(Position& position, std::mt19937_64& random, std::vector<Row>& rows) {
        const std::size_t before = rows.size();
        position.play(random_move(position, random));
        if (!position.is_over()) search(position, rows);
        position.undo();
        if (rows.size() > before) rows.back().is_aside = true;
    }

    int evaluation(const Position& position) {
        return network_.has_network() ? network_.evaluate(position) : evaluate(position);
    }

    // On large boards with strips, a move near other marks or in the centre.
    Cell random_move(const Position& position, std::mt19937_64& random) const {
        const bool keeps_near = strips_ && game_->cells() >= MIN_CELLS_FOR_NEAR;
        std::vector<Cell> all, near;
        position.for_each_legal([&](Cell cell) {
            all.push_back(cell);
            if (keeps_near && is_near(position, cell)) near.push_back(cell);
        });
        const auto& moves = near.empty() ? all : near;
        return moves[random() % moves.size()];
    }
    bool is_near(const Position& position, Cell cell) const {
        if (position.game().cells() == position.now().free)
            return position.game().centrality(cell) >= MIN_FIRST_CENTRALITY;
        const int middle = strips_->surroundings().radius();
        return std::ranges::any_of(strips_->views_of(cell), [&](const Strips::View& view) {
            return middle - NEAR <= view.digit && view.digit < middle + NEAR && position.at(view.cell) != NO_SIDE;
        });
    }

    std::shared_ptr<const Game> game_;
    std::shared_ptr<const Strips> strips_;
    const SelfPlay& plan_;
    const std::atomic<bool>& stop_;
    Randomness randomness_;
    Engine engine_;
    NetworkEvaluator network_;
};

// Distributes the numbers of playthroughs to threads, and collects their rows in the order of the numbers.
class Playthroughs {
  public:
    Playthroughs(std::shared_ptr<const Game> game, const SelfPlay& plan, const TakeRows& take)
        : game_(std::move(game)), plan_(plan), take_(take) {}

    std::uint64_t run(const Interrupt& interrupt) {
        std::vector<std::thread> threads;
        try {
            for (int i = 0; i < plan_.threads; ++i) threads.emplace_back([this] { work(); });
        } catch (...) {
            fail(std::current_exception());
        }
        std::unique_lock lock(mutex_);
        while (ended_ < threads.size()) {
            done_.wait_for(lock, POLL);
            lock.unlock();
            if (interrupt && interrupt()) stop_ = true;
            lock.lock();
        }
        lock.unlock();
        for (std::thread& thread : threads) thread.join();
        if (failure_) std::rethrow_exception(failure_);
        return taken_;
    }

  private:
    void work() {
        try {
            Player player(game_, plan_, stop_);
            for (std::uint64_t at = next_++; at < plan_.count && !stop_; at = next_++) {
                auto rows = player.play(plan_.first + at);
                if (!stop_) finish(at, std::move(rows));
            }
        } catch (...) {
            fail(std::current_exception());
        }
        const std::lock_guard lock(mutex_);
        ++ended_;
        done_.notify_all();
    }

    void finish(std::uint64_t at, std::vector<Row> rows) {
        const std::lock_guard lock(mutex_);
        finished_.emplace(at, std::move(rows));
        for (auto first = finished_.begin(); first != finished_.end() && first->first == taken_; ++taken_) {
            std::vector<char> bytes;
            for (const Row& row : first->second) bytes.insert(bytes.end(), row.bytes.begin(), row.bytes.end());
            take_(bytes);
            first = finished_.erase(first);
        }
    }

    void fail(std::exception_ptr failure) {
        const std::lock_guard lock(mutex_);
        failure_ = std::move(failure);
        stop_ = true;
    }

    std::shared_ptr<const Game> game_;
    const SelfPlay& plan_;
    const TakeRows& take_;
    std::atomic<bool> stop_{false};
    std::atomic<std::uint64_t> next_{0};  // numbers here are relative to the first playthrough
    std::mutex mutex_;
    std::condition_variable done_;
    std::map<std::uint64_t, std::vector<Row>> finished_;  // not taken yet
    std::uint64_t taken_ = 0;
    std::size_t ended_ = 0;  // number of threads that have ended
    std::exception_ptr failure_;
};

}  // namespace

std::vector<char> rows_header(const Game& game, LineFeatures::Scope scope) {
    std::vector<char> bytes = {'N', 'N', 'R', '2'};
    const auto found = LineFeatures::of(game, scope);
    const LineFeatures features = found ? *found : LineFeatures{};
    const std::uint64_t only_game = scope == LineFeatures::Scope::GAME ? game.fingerprint() : 0;
    int views = 0;
    for (Cell cell = 0; cell < features.cells(); ++cell) views += static_cast<int>(features.views_of(cell).size());
    for (int number : {game.cells(), game.blocks(), features.slots_of_cell(), features.kinds(),
                       static_cast<int>(features.kind_of_states().size()), views, features.surroundings().length,
                       static_cast<int>(features.surroundings().guarded)})
        put<std::int32_t>(bytes, number);
    put<std::uint64_t>(bytes, only_game);
    for (const std::uint32_t states : features.start()) {
        put<std::uint32_t>(bytes, states & 0xffff);
        put<std::uint32_t>(bytes, states >> 16);
    }
    for (Cell cell = 0; cell < features.cells(); ++cell)
        for (const LineFeatures::View& view : features.views_of(cell))
            for (const std::uint32_t number : {static_cast<std::uint32_t>(cell), view.slot, std::uint32_t{view.cell},
                                               view.added[X] & 0xffff, view.added[X] >> 16})
                put<std::uint32_t>(bytes, number);
    for (const std::uint16_t kind : features.kind_of_states()) put(bytes, kind);
    return bytes;
}

std::uint64_t self_play(const std::shared_ptr<const Game>& game, const SelfPlay& plan, const TakeRows& take,
                        const Interrupt& interrupt) {
    return Playthroughs(game, plan, take).run(interrupt);
}

}  // namespace noughts
