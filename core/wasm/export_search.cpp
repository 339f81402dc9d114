// The playing search, the fixed-depth search and the search for forced wins.
#include "search/evaluate.hpp"
#include "search/instruction_set.hpp"
#include "wasm/boundary.hpp"

using namespace noughts;
using namespace noughts::wasm;

namespace {

const Symmetry* optional(const SharedSymmetry* symmetry) { return symmetry ? symmetry->get() : nullptr; }

void output_report(const Report& report) {
    Output output;
    output.number(report.depth);
    output.real(static_cast<double>(report.nodes));
    output.real(report.seconds);
    output.number(report.hashfull);
    output.number(static_cast<std::int32_t>(report.lines.size()));
    for (const RootVariation& line : report.lines) {
        output.number(line.move);
        output.number(line.score);
        output.number(line.proven);
        output.list(line.pv);
    }
}

std::vector<std::pair<int, int>> read_known(Input& input) {
    std::vector<std::pair<int, int>> known;
    const auto numbers = input.list();
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) known.emplace_back(numbers[i], numbers[i + 1]);
    return known;
}

}  // namespace

NOUGHTS_EXPORT(engine_new) Engine* engine_new(int threads, int megabytes) {
    return call([=] {
        require_range<int>("megabytes", megabytes, 1, MAX_MEGABYTES);
        Input input;
        return new Engine(checked_threads(threads), static_cast<std::size_t>(megabytes), input.network());
    });
}

NOUGHTS_EXPORT(engine_free) void engine_free(Engine* engine) { delete engine; }
NOUGHTS_EXPORT(engine_stop) void engine_stop(Engine* engine) { engine->stop(); }
NOUGHTS_EXPORT(engine_clear) void engine_clear(Engine* engine) {
    call([=] { engine->clear(); });
}
NOUGHTS_EXPORT(engine_spread) int engine_spread(const Engine* engine, const SharedGame* game) {
    return call([=] { return network_spread(**game, engine->network()); });
}

// The output is the last report; earlier reports are passed to the progress callback if `has_progress`.
NOUGHTS_EXPORT(engine_search)
void engine_search(Engine* engine, const Position* position, double seconds, int depth, double nodes, int lines,
                   bool has_progress, const SharedSymmetry* symmetry, bool prompt, double target) {
    call([=] {
        Input input;
        const auto known = read_known(input);
        require_limits(*position, seconds, depth, lines);
        const Root root = checked_root(*position, optional(symmetry), known, prompt, target);
        Progress progress;
        if (has_progress)
            progress = [](const Report& report) {
                output_report(report);
                return report_output();
            };
        const Limits limits{seconds, checked_nodes(nodes), depth};
        output_report(engine->search(Position(*position), limits, lines, progress, interrupt(), root));
    });
}

NOUGHTS_EXPORT(fixed_depth_best_moves)
void fixed_depth(const Position* position, int depth, const SharedSymmetry* symmetry, double nodes) {
    call([=] {
        const auto found =
            fixed_depth_best_moves(Position(*position), depth, optional(symmetry), checked_nodes(nodes), interrupt());
        Output output;
        output.number(found.score);
        output.list(found.moves);
        output.real(static_cast<double>(found.nodes));
    });
}

NOUGHTS_EXPORT(forced_win) void threat_win(const Position* position, int nodes) {
    call([=] { Output().list(forced_win(*position, nodes)); });
}

NOUGHTS_EXPORT(fork_threat_win) void fork_win(const Position* position, int nodes) {
    call([=] {
        const auto found = fork_threat_win(*position, nodes);
        Output output;
        output.number(found.plies);
        output.list(found.line);
    });
}

NOUGHTS_EXPORT(estimate) int position_estimate(const Position* position) {
    return call([=] {
        Input input;
        return estimate(*position, input.network());
    });
}

NOUGHTS_EXPORT(instruction_set) void instruction_set() { Output().bytes(kernels().name); }

NOUGHTS_EXPORT(instruction_sets) void names_of_instruction_sets() {
    const auto names = instruction_sets();
    Output output;
    output.number(static_cast<std::int32_t>(names.size()));
    for (const auto name : names) output.bytes(name);
}

NOUGHTS_EXPORT(set_instruction_set) void choose_instruction_set() {
    call([] {
        Input input;
        const auto name = input.bytes();
        set_instruction_set(std::string(name.begin(), name.end()));
    });
}

NOUGHTS_EXPORT(constants) void constants() {
    Output output;
    for (const int value : {MAX_CELLS, MAX_LINES, MAX_LINE_LENGTH, MAX_GUARDS, MAX_THREADS, WIN, DECIDED, BELIEVED})
        output.number(value);
}
