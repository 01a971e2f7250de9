// Python binding of the search.
#include "bind/bind.hpp"
#include "kernel/position.hpp"
#include "search/bench.hpp"
#include "search/levels.hpp"
#include "search/searcher.hpp"

#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

Tuning tuning_from(const std::map<std::string, int>& settings) {
    Tuning tuning;
    for (const auto& [name, value] : settings) set(tuning, name, value);
    return tuning;
}

namespace {

using ClockTuple = std::tuple<std::int64_t, std::int64_t, int>;

// A searcher for one search at a time: a second would share its tables and its stop flag.
struct PySearcher {
    Searcher searcher;
    std::atomic<bool> busy{false};

    PySearcher(int threads, std::size_t hash_mb, const std::map<std::string, int>& tuning,
               std::shared_ptr<Network> network)
        : searcher(threads, hash_mb) {
        searcher.tuning = tuning_from(tuning);
        searcher.tuning.network = std::move(network);
    }
};

std::optional<int> win_in(int score) {
    if (score > PROVEN) return WIN - score;
    if (score < -PROVEN) return -(WIN + score);
    return std::nullopt;
}

void within(const char* name, int value, int most) {
    if (value < 0 || value > most)
        throw std::invalid_argument(std::string(name) + " is from 0 to " + std::to_string(most) +
                                    ", not " + std::to_string(value));
}

std::optional<int> move_or_none(int move) {
    return move < 0 ? std::nullopt : std::optional<int>(move);
}

Result search(PySearcher& self, const Position& position, int depth, std::uint64_t nodes,
              std::int64_t movetime_ms, std::optional<ClockTuple> clock, int multipv,
              const std::vector<int>& searchmoves, const Handicap& handicap,
              std::optional<int> contempt, nb::object on_info, const Stop* stop) {
    if (depth < 0 || movetime_ms < 0 || multipv < 1)
        throw std::invalid_argument("depth and movetime_ms are no less than 0, multipv than 1");
    if (contempt) {
        Tuning checked;
        set(checked, "contempt", *contempt);
    }
    Limits limits;
    limits.depth = depth;
    limits.nodes = nodes;
    limits.movetime_ms = movetime_ms;
    limits.multipv = multipv;
    limits.searchmoves = searchmoves;
    if (clock) limits.clock = Clock{std::get<0>(*clock), std::get<1>(*clock), std::get<2>(*clock)};
    if (self.busy.exchange(true)) throw std::runtime_error("this searcher is already searching");
    struct Restore {
        PySearcher& self;
        int default_contempt;
        ~Restore() {
            self.searcher.tuning.contempt = default_contempt;
            self.busy = false;
        }
    } restore{self, self.searcher.tuning.contempt};
    if (contempt) self.searcher.tuning.contempt = *contempt;
    const Position copy = position; // the caller may change its own
    SearchMonitor monitor;
    monitor.stop = stop;
    monitor.should_continue = signal_listener();
    if (!on_info.is_none())
        monitor.on_info = [&on_info](const Info& info) {
            nb::gil_scoped_acquire acquire;
            on_info(info);
        };
    nb::gil_scoped_release release;
    return self.searcher.search(copy, limits, handicap, monitor);
}

} // namespace

void bind_search(nb::module_& m) {
    m.attr("WIN") = WIN;
    m.def(
        "settings",
        [] {
            Tuning tuning;
            std::map<std::string, int> default_contempt;
            for (const Setting& each : settings(tuning))
                default_contempt.emplace(each.name, *each.value);
            return default_contempt;
        },
        "Default values of the tuning parameters, for two players.");
    m.def(
        "setting_ranges",
        [] {
            Tuning tuning;
            std::map<std::string, std::pair<int, int>> ranges;
            for (const Setting& each : settings(tuning))
                ranges.emplace(each.name, std::pair(each.min, each.max));
            return ranges;
        },
        "Least and greatest value of each tuning parameter.");
    m.def("win_in", &win_in, "score"_a,
          "Plies to a proven win, negative to a proven loss, None otherwise.");

    nb::class_<Handicap>(m, "Handicap", "Weakening that resembles a person's play.")
        .def(
            "__init__",
            [](Handicap* self, int noise, int blindness, int depth, std::uint64_t nodes,
               bool quiescence, std::uint64_t seed) {
                within("noise", noise, MAX_NOISE);
                within("blindness", blindness, 1000);
                within("depth", depth, MAX_PLY);
                new (self) Handicap{noise, blindness, depth, nodes, quiescence, seed};
            },
            nb::kw_only(), "noise"_a = 0, "blindness"_a = 0, "depth"_a = 0, "nodes"_a = 0,
            "quiescence"_a = true, "seed"_a = 0)
        .def_ro("noise", &Handicap::noise)
        .def_ro("blindness", &Handicap::blindness)
        .def_ro("depth", &Handicap::depth)
        .def_ro("nodes", &Handicap::nodes)
        .def_ro("quiescence", &Handicap::quiescence)
        .def_ro("seed", &Handicap::seed);

    m.attr("LEVELS") = LEVELS;
    m.def(
        "level",
        [](int number, std::uint64_t seed) {
            if (number < 1 || number > LEVELS)
                throw std::invalid_argument("levels are 1 to 10, not " + std::to_string(number));
            Handicap handicap = LEVEL_TABLE[static_cast<std::size_t>(number - 1)];
            handicap.seed = seed;
            return handicap;
        },
        "number"_a, "seed"_a = 0, "The handicap of a level, 1 to 10.");

    nb::class_<Info>(m, "Info", "One variation at one depth of a search.")
        .def_ro("depth", &Info::depth)
        .def_ro("seldepth", &Info::seldepth)
        .def_ro("rank", &Info::rank)
        .def_ro("score", &Info::score)
        .def_prop_ro("win_in", [](const Info& self) { return win_in(self.score); })
        .def_ro("nodes", &Info::nodes)
        .def_ro("ms", &Info::ms)
        .def_ro("pv", &Info::pv);

    nb::class_<Result>(m, "Result", "What a search found.")
        .def_prop_ro("best", [](const Result& self) { return move_or_none(self.best); })
        .def_prop_ro("ponder", [](const Result& self) { return move_or_none(self.ponder); })
        .def_ro("score", &Result::score)
        .def_prop_ro("win_in", [](const Result& self) { return win_in(self.score); })
        .def_ro("depth", &Result::depth)
        .def_ro("seldepth", &Result::seldepth)
        .def_ro("nodes", &Result::nodes)
        .def_ro("ms", &Result::ms)
        .def_ro("pv", &Result::pv)
        .def_ro("lines", &Result::lines);

    nb::class_<Stop>(m, "Stop", "Stop flag of a search, which may be set before the search starts.")
        .def(nb::init<>())
        .def("set", &Stop::set,
             "Set it from any thread. It stays set: use a new one for another search.")
        .def_prop_ro("is_set", &Stop::is_set);

    nb::class_<PySearcher>(m, "Searcher", "A search with its own threads and tables.")
        .def(nb::init<int, std::size_t, const std::map<std::string, int>&,
                      std::shared_ptr<Network>>(),
             "threads"_a = 1, "hash_mb"_a = 64, "tuning"_a = std::map<std::string, int>{},
             "network"_a = nb::none())
        .def(
            "search", &search, "position"_a, nb::kw_only(), "depth"_a = 0, "nodes"_a = 0,
            "movetime_ms"_a = 0, "clock"_a = nb::none(), "multipv"_a = 1,
            "searchmoves"_a = std::vector<int>{}, "handicap"_a = Handicap{},
            "contempt"_a = nb::none(), "on_info"_a = nb::none(), "stop"_a = nb::none(),
            "Search without the GIL until a limit is reached or it is stopped. 0 means no limit; "
            "`clock` is (remaining_ms, increment_ms, moves_to_go). `contempt` is what a draw costs "
            "the player at the root. `on_info` is called with every variation of every depth.\n\n"
            "To stop it from elsewhere, pass a `Stop`: once set, from any thread and even before "
            "the search starts, the search returns within milliseconds with its best so far (at "
            "least of depth 1). Ctrl-C in the main thread raises KeyboardInterrupt.")
        .def(
            "stop", [](PySearcher& self) { self.searcher.stop(); },
            "Stop the running search, from any thread. Without effect before it starts: see "
            "`Stop`.")
        .def(
            "clear",
            [](PySearcher& self) {
                if (self.busy.exchange(true))
                    throw std::runtime_error("this searcher is searching");
                self.searcher.clear();
                self.busy = false;
            },
            "Clear table and history.");

    m.def(
        "bench",
        [](int depth, std::shared_ptr<Network> network) {
            SearchMonitor monitor;
            monitor.should_continue = signal_listener();
            nb::gil_scoped_release release;
            const Bench done = bench(depth, std::move(network), monitor);
            return std::tuple{done.nodes, done.ms, done.nodes_per_second()};
        },
        "depth"_a = 11, "network"_a = nb::none(),
        "Run the benchmark: (nodes, milliseconds, nodes per second).");
}
