// Python binding of the vectorised environment and of tree search from it.
#include "bind/bind.hpp"
#include "env/batch.hpp"
#include "env/planes.hpp"
#include "kernel/position.hpp"
#include "lab/mcts.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <mutex>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

namespace {

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

Autoreset autoreset_named(std::string_view text) {
    if (text == "same-step") return Autoreset::same_step;
    if (text == "next-step") return Autoreset::next_step;
    if (text == "disabled") return Autoreset::disabled;
    throw std::invalid_argument("autoreset is one of same-step, next-step, disabled, not '" +
                                std::string(text) + "'");
}

// The array's memory, after a check of its size.
template <class T>
T* memory(const Array<T>& array, std::size_t size, const std::string& name) {
    if (array.size() != size)
        throw std::invalid_argument(name + " has " + std::to_string(array.size()) +
                                    " places, not " + std::to_string(size));
    return array.data();
}

// The caller's arrays of observations.
struct PyViewArrays {
    Array<std::uint8_t> observations;
    Array<std::int8_t> masks;
    Array<std::uint8_t> to_move, captured;

    ViewArrays rows(std::size_t games, Mode mode, int history, const std::string& prefix) const {
        const std::size_t planes = games * planes_of(mode, history) * PLANE;
        const auto named = [&](const char* name) { return prefix + name; };
        return {memory(observations, planes, named("observations")),
                reinterpret_cast<std::uint8_t*>(memory(masks, games * MOVES, named("masks"))),
                memory(to_move, games, named("to_move")),
                memory(captured, games * sides(mode), named("captured"))};
    }
};

// A batch that owns references to the caller's arrays, so that they outlive the writes.
struct PyBatch {
    PyViewArrays now, final;
    Array<float> rewards, rewards_by_colour;
    Array<bool> terminations, truncations;
    int games = 0;
    std::unique_ptr<Batch> batch;

    void check(const BatchOptions& options) {
        const Mode mode = Position(options.start, options.rules).mode();
        const auto n = static_cast<std::size_t>(options.games);
        BatchArrays arrays;
        arrays.now = now.rows(n, mode, options.history, "");
        if (options.autoreset == Autoreset::same_step)
            arrays.final = final.rows(n, mode, options.history, "final_");
        arrays.rewards = memory(rewards, n, "rewards");
        arrays.rewards_by_colour =
            memory(rewards_by_colour, n * colours(mode), "rewards_by_colour");
        arrays.terminations = memory(terminations, n, "terminations");
        arrays.truncations = memory(truncations, n, "truncations");
        games = options.games;
        batch = make_batch(options, arrays);
    }

    void reset(const std::optional<Array<bool>>& marks) {
        const bool* const which =
            marks ? memory(*marks, static_cast<std::size_t>(games), "reset_mask") : nullptr;
        const nb::gil_scoped_release release;
        batch->reset(which);
    }

    std::optional<std::pair<int, bool>> step(const Array<std::int64_t>& actions) {
        const std::int64_t* const chosen =
            memory(actions, static_cast<std::size_t>(games), "actions");
        std::optional<StepRefusal> refused;
        {
            const nb::gil_scoped_release release;
            refused = batch->step(chosen);
        }
        if (!refused) return std::nullopt;
        return std::pair{refused->game, refused->is_over};
    }

    void sample_actions(std::uint64_t seed, const Array<std::int64_t>& actions) {
        std::int64_t* const chosen = memory(actions, static_cast<std::size_t>(games), "actions");
        const nb::gil_scoped_release release;
        batch->sample_actions(seed, chosen);
    }

    std::string text(int game) const {
        if (game < 0 || game >= games) throw std::out_of_range("there is no such game");
        return batch->text(game);
    }

    nb::bytes state() const {
        const std::string bytes = batch->state();
        return nb::bytes(bytes.data(), bytes.size());
    }
};

// Tree search that owns a reference to its batch. Threads that share it take turns.
struct PyMcts {
    nb::object games;
    MctsOptions options;
    Mode mode;
    std::size_t count, planes;
    std::mutex mutex; // of what follows
    std::unique_ptr<Mcts> search;
    int leaves = 0;

    PyMcts(nb::object games, const MctsOptions& options) : games(games), options(options) {
        const Batch& batch = *nb::cast<PyBatch&>(games).batch;
        mode = batch.mode();
        count = static_cast<std::size_t>(batch.settings().games);
        planes = static_cast<std::size_t>(planes_of(mode, batch.settings().history)) * PLANE;
        search = make_mcts(batch, options);
    }

    void begin() {
        const nb::gil_scoped_release release;
        const std::lock_guard lock(mutex);
        leaves = 0;
        search->begin();
    }

    int gather(const Array<std::uint8_t>& observations, const Array<std::int8_t>& masks) {
        const std::size_t most = count * static_cast<std::size_t>(options.max_considered);
        std::uint8_t* const seen = memory(observations, most * planes, "observations");
        auto* const legal = reinterpret_cast<std::uint8_t*>(memory(masks, most * MOVES, "masks"));
        const nb::gil_scoped_release release;
        const std::lock_guard lock(mutex);
        return leaves = search->gather(seen, legal);
    }

    void evaluate(const Array<const float>& logits, const Array<const float>& values) {
        const nb::gil_scoped_release release;
        const std::lock_guard lock(mutex);
        const auto n = static_cast<std::size_t>(leaves);
        const float* const policy = memory(logits, n * MOVES, "logits");
        const float* const leaf_values = memory(values, n * sides(mode), "values");
        search->evaluate(policy, leaf_values);
        leaves = 0;
    }

    void visits(const Array<std::int32_t>& out) {
        std::int32_t* const times = memory(out, count * MOVES, "visits");
        const nb::gil_scoped_release release;
        const std::lock_guard lock(mutex);
        search->visits(times);
    }

    void improved_policy(const Array<float>& policy, const Array<std::int64_t>& actions,
                         const Array<float>& values) {
        float* const chances = memory(policy, count * MOVES, "policy");
        std::int64_t* const best = memory(actions, count, "actions");
        float* const root_values = memory(values, count, "values");
        const nb::gil_scoped_release release;
        const std::lock_guard lock(mutex);
        search->improved_policy(chances, best, root_values);
    }
};

} // namespace

void bind_env(nb::module_& m) {
    m.attr("HAS_SIMD_MASKS") = PlaneWriter::has_simd();
    nb::class_<PyBatch>(m, "Batch", "Vectorised environment that writes into the caller's arrays.")
        .def(
            "__init__",
            [](PyBatch* self, const std::string& start, int games, int history, int ply_limit,
               std::string_view autoreset, int threads, bool disable_simd, int win_at,
               int repetition, int rules_ply_limit, std::string_view partner_sidestep,
               std::string_view stuck, Array<std::uint8_t> observations, Array<std::int8_t> masks,
               Array<std::uint8_t> to_move, Array<std::uint8_t> captured,
               Array<std::uint8_t> final_observations, Array<std::int8_t> final_masks,
               Array<std::uint8_t> final_to_move, Array<std::uint8_t> final_captured,
               Array<float> rewards, Array<float> rewards_by_colour, Array<bool> terminations,
               Array<bool> truncations) {
                if (games < 1 || history < 1 || ply_limit < 1 || threads < 1)
                    throw std::invalid_argument("numbers of a batch are at least 1");
                BatchOptions options;
                options.start = start;
                options.rules =
                    rules_from(win_at, repetition, rules_ply_limit, partner_sidestep, stuck);
                options.games = games;
                options.history = history;
                options.ply_limit = static_cast<std::uint32_t>(ply_limit);
                options.autoreset = autoreset_named(autoreset);
                options.threads = threads;
                options.disable_simd = disable_simd;
                PyBatch made{{observations, masks, to_move, captured},
                             {final_observations, final_masks, final_to_move, final_captured},
                             rewards,
                             rewards_by_colour,
                             terminations,
                             truncations,
                             0,
                             nullptr};
                made.check(options);
                new (self) PyBatch(std::move(made));
            },
            "start"_a, nb::kw_only(), "games"_a, "history"_a, "ply_limit"_a, "autoreset"_a,
            "threads"_a, "disable_simd"_a, "win_at"_a, "repetition"_a, "rules_ply_limit"_a,
            "partner_sidestep"_a, "stuck"_a, "observations"_a.noconvert(), "masks"_a.noconvert(),
            "to_move"_a.noconvert(), "captured"_a.noconvert(), "final_observations"_a.noconvert(),
            "final_masks"_a.noconvert(), "final_to_move"_a.noconvert(),
            "final_captured"_a.noconvert(), "rewards"_a.noconvert(),
            "rewards_by_colour"_a.noconvert(), "terminations"_a.noconvert(),
            "truncations"_a.noconvert())
        .def("reset", &PyBatch::reset, "marks"_a.noconvert() = nb::none(),
             "Restart all games, or the marked ones.")
        .def("step", &PyBatch::step, "actions"_a.noconvert(),
             "Play an action in every game and return None. If one is refused, play nothing and "
             "return (game, whether it is over).")
        .def("sample_actions", &PyBatch::sample_actions, "seed"_a, "actions"_a.noconvert(),
             "Write a uniformly random legal action for each game.")
        .def("text", &PyBatch::text, "game"_a, "The position of a game.")
        .def("state", &PyBatch::state, "All games as bytes, without the arrays.")
        .def(
            "restore",
            [](PyBatch& self, const nb::bytes& state) {
                self.batch->restore({state.c_str(), state.size()});
            },
            "state"_a, "Restore the games of a batch with the same options.");
    nb::class_<PyMcts>(
        m, "Mcts", "Monte Carlo tree search from the games of a batch, evaluated by the caller.")
        .def(
            "__init__",
            [](PyMcts* self, nb::object games, int simulations, int max_considered, float c_scale,
               float gumbel_scale, std::uint64_t seed) {
                if (simulations < 1 || max_considered < 1)
                    throw std::invalid_argument("simulations and max_considered are at least 1");
                new (self)
                    PyMcts(games, {simulations, max_considered, c_scale, gumbel_scale, seed});
            },
            "games"_a, nb::kw_only(), "simulations"_a, "max_considered"_a, "c_scale"_a,
            "gumbel_scale"_a, "seed"_a)
        .def("begin", &PyMcts::begin, "Start new trees from the current games.")
        .def("gather", &PyMcts::gather, "observations"_a.noconvert(), "masks"_a.noconvert(),
             "Write the observations of leaves and return how many; 0 when the search is done.")
        .def("evaluate", &PyMcts::evaluate, "logits"_a.noconvert(), "values"_a.noconvert(),
             "Take the leaves' evaluations: logits of all moves, values of the sides from the "
             "mover's "
             "on.")
        .def("visits", &PyMcts::visits, "out"_a.noconvert())
        .def("improved_policy", &PyMcts::improved_policy, "policy"_a.noconvert(),
             "actions"_a.noconvert(), "values"_a.noconvert(),
             "Write the improved policy, the moves to play, and the values.");
}
