// Python binding of the match runner.
#include "lab/match.hpp"
#include "bind/bind.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

namespace {

PlayerKind kind_named(std::string_view text) {
    if (text == "engine") return PlayerKind::engine;
    if (text == "alpha-beta") return PlayerKind::alpha_beta;
    if (text == "greedy") return PlayerKind::greedy;
    if (text == "random") return PlayerKind::random;
    throw std::invalid_argument("a player is engine, alpha-beta, greedy or random, not '" +
                                std::string(text) + "'");
}

Player player_from(std::string_view kind, int depth, std::uint64_t nodes, std::int64_t movetime_ms,
                   std::size_t hash_mb, int threads, const Handicap& handicap,
                   const std::map<std::string, int>& tuning, std::shared_ptr<Network> network) {
    Player player;
    player.kind = kind_named(kind);
    player.limits.depth = depth;
    player.limits.nodes = nodes;
    player.limits.movetime_ms = movetime_ms;
    player.hash_mb = hash_mb;
    player.threads = threads;
    if (player.kind == PlayerKind::engine) Searcher::check(threads, hash_mb);
    if (depth < 0 || movetime_ms < 0)
        throw std::invalid_argument("depth and movetime_ms are no less than 0");
    player.handicap = handicap;
    player.tuning = tuning_from(tuning);
    player.tuning.network = std::move(network);
    const bool bounded = depth || nodes || movetime_ms || handicap.depth || handicap.nodes;
    if (player.kind == PlayerKind::engine && !bounded)
        throw std::invalid_argument("an engine player needs a depth, nodes or movetime_ms");
    return player;
}

std::tuple<int, int, int> as_tuple(const Score& score) {
    return {score.wins, score.draws, score.losses};
}

// A match whose threads are waited for without holding up Python.
struct PyMatch {
    std::unique_ptr<Match> match;

    ~PyMatch() {
        nb::gil_scoped_release release;
        match.reset();
    }

    bool wait(std::optional<double> timeout) const {
        using namespace std::chrono;
        const auto end = steady_clock::now() + duration<double>(timeout.value_or(0));
        for (;;) {
            {
                nb::gil_scoped_release release;
                auto slice = milliseconds(20);
                if (timeout)
                    slice = std::clamp(ceil<milliseconds>(end - steady_clock::now()),
                                       milliseconds(0), slice);
                if (match->wait_for(slice)) return true;
            }
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (timeout && steady_clock::now() >= end) return false;
        }
    }
};

} // namespace

void bind_match(nb::module_& m) {
    nb::class_<Player>(m, "Player", "One of the two players of a match.")
        .def(
            "__init__",
            [](Player* self, std::string_view kind, int depth, std::uint64_t nodes,
               std::int64_t movetime_ms, std::size_t hash_mb, int threads, const Handicap& handicap,
               const std::map<std::string, int>& tuning, std::shared_ptr<Network> network) {
                new (self) Player(player_from(kind, depth, nodes, movetime_ms, hash_mb, threads,
                                              handicap, tuning, std::move(network)));
            },
            "kind"_a = "engine", nb::kw_only(), "depth"_a = 0, "nodes"_a = 0, "movetime_ms"_a = 0,
            "hash_mb"_a = 4, "threads"_a = 1, "handicap"_a = Handicap{},
            "tuning"_a = std::map<std::string, int>{}, "network"_a = nb::none());

    m.def(
        "choose",
        [](const Player& player, const Position& position, std::uint64_t seed) {
            if (player.kind == PlayerKind::engine)
                throw std::invalid_argument("an engine's move comes from a Searcher");
            std::mt19937_64 random(seed);
            return simple_move(player.kind, position, player.limits.depth, random);
        },
        "player"_a, "position"_a, "seed"_a,
        "The move of a random, greedy or alpha-beta player; -1 if the game is over.");

    nb::class_<GameRecord>(m, "GameRecord", "A finished game of a match.")
        .def_ro("start", &GameRecord::start)
        .def_ro("moves", &GameRecord::moves)
        .def_ro("seats", &GameRecord::seats)
        .def_prop_ro("winner",
                     [](const GameRecord& self) -> std::optional<int> {
                         if (self.outcome.winner == NOBODY) return std::nullopt;
                         return self.outcome.winner;
                     })
        .def_prop_ro("reason",
                     [](const GameRecord& self) { return std::string(self.outcome.reason_name()); })
        .def_prop_ro("points", &GameRecord::points)
        .def_ro("slowest_ms", &GameRecord::slowest_ms);

    nb::class_<PyMatch>(m, "Match",
                        "Games between two players, started at once in threads of their own.")
        .def(
            "__init__",
            [](PyMatch* self, const Player& first, const Player& second,
               const std::vector<std::string>& openings, int games, int random_plies,
               int concurrency, std::uint64_t seed, int win_at, int repetition, int ply_limit,
               std::string_view partner_sidestep, std::string_view stuck, int resign) {
                MatchConfig config;
                config.players = {first, second};
                config.openings = openings;
                config.rules = rules_from(win_at, repetition, ply_limit, partner_sidestep, stuck);
                config.games = games;
                config.random_plies = random_plies;
                config.concurrency = concurrency;
                config.seed = seed;
                config.resign = resign;
                new (self) PyMatch{std::make_unique<Match>(std::move(config))};
            },
            "first"_a, "second"_a, "openings"_a, nb::kw_only(), "games"_a = 100,
            "random_plies"_a = 0, "concurrency"_a = 1, "seed"_a = 1, "win_at"_a = 6,
            "repetition"_a = 3, "ply_limit"_a = 400, "partner_sidestep"_a = "any",
            "stuck"_a = "default", "resign"_a = 0)
        .def(
            "cancel", [](const PyMatch& self) { self.match->cancel(); },
            "Stop the running games and their searches.")
        .def("wait", &PyMatch::wait, "timeout"_a = nb::none(),
             "Wait until all games are over or the seconds have passed; return whether they are "
             "over. "
             "Raises an exception of a game. Several threads may wait.")
        .def_prop_ro("done", [](const PyMatch& self) { return self.match->done(); })
        .def(
            "score", [](const PyMatch& self) { return as_tuple(self.match->score()); },
            "Wins, draws and losses of the first player so far.")
        .def(
            "games", [](const PyMatch& self, std::size_t from) { return self.match->games(from); },
            "from_"_a = 0, "Finished games from a number on.");
}
