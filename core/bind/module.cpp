// Python binding of the kernel: module and positions.
#include "bind/bind.hpp"
#include "eval/handcrafted.hpp"

#include "kernel/position.hpp"

#include <chrono>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

namespace {

[[noreturn]] void bad_option(const char* option, std::string_view value, const char* known) {
    throw std::invalid_argument(std::string(option) + " is one of " + known + ", not '" +
                                std::string(value) + "'");
}

PartnerSideStep partner_named(std::string_view text) {
    if (text == "any") return PartnerSideStep::any;
    if (text == "none") return PartnerSideStep::none;
    bad_option("partner_sidestep", text, "any, none");
}

Stuck stuck_named(std::string_view text) {
    if (text == "default" || text == "by-mode") return Stuck::by_mode;
    if (text == "loses") return Stuck::loses;
    if (text == "draws") return Stuck::draws;
    if (text == "passes") return Stuck::passes;
    bad_option("stuck", text, "default, loses, draws, passes");
}

int at_least(const char* option, int value, int least) {
    if (value < least)
        throw std::invalid_argument(std::string(option) + " is at least " + std::to_string(least) +
                                    ", not " + std::to_string(value));
    return value;
}

PerftMode perft_mode(bool bulk) { return bulk ? PerftMode::bulk : PerftMode::full; }

} // namespace

Rules rules_from(int win_at, int repetition, int ply_limit, std::string_view partner_sidestep,
                 std::string_view stuck) {
    Rules rules;
    rules.win_at = at_least("win_at", win_at, 1);
    rules.repetition = at_least("repetition", repetition, 0);
    if (repetition == 1) throw std::invalid_argument("repetition is 0 for never, or at least 2");
    rules.ply_limit = at_least("ply_limit", ply_limit, 0);
    rules.partner_sidestep = partner_named(partner_sidestep);
    rules.stuck = stuck_named(stuck);
    return rules;
}

std::function<bool()> signal_listener() {
    const nb::module_ threading = nb::module_::import_("threading");
    if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return {};
    using Time = std::chrono::steady_clock;
    return [last = Time::now()]() mutable {
        if (Time::now() - last < std::chrono::milliseconds(5)) return true;
        last = Time::now();
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return true;
    };
}

NB_MODULE(_native, m) {
    m.doc() = "Kernel of Sumito: positions of every mode on a 61-bit board, and search.";
    m.attr("MOVES") = MOVES;
    m.attr("MARBLE") = Weights{}.marble;
    m.def(
        "move_name",
        [](int index) {
            if (index < 0 || index >= MOVES)
                throw std::invalid_argument("moves are numbered 0 to 1271, not " +
                                            std::to_string(index));
            return move_name(index);
        },
        "index"_a, "The Aba-Pro name of a move by its number.");

    nb::class_<Position>(m, "Position", "A game so far: board, past and rules.")
        .def(
            "__init__",
            [](Position* self, std::string_view text, int win_at, int repetition, int ply_limit,
               std::string_view partner_sidestep, std::string_view stuck) {
                new (self) Position(
                    text, rules_from(win_at, repetition, ply_limit, partner_sidestep, stuck));
            },
            "text"_a, "win_at"_a = 6, "repetition"_a = 0, "ply_limit"_a = 0,
            "partner_sidestep"_a = "any", "stuck"_a = "default")
        .def("text", &Position::text)
        .def("legal", &Position::legal, "Numbers of the legal moves, ascending.")
        .def("count", &Position::count, "How many legal moves there are.")
        .def("push", &Position::push, "index"_a, "Play a move; ValueError if it is illegal.")
        .def("pop", &Position::pop, "Take the last move back; IndexError at the start.")
        .def("copy", [](const Position& self) { return Position(self); })
        .def_prop_ro("mode", [](const Position& self) { return name(self.mode()); })
        .def_prop_ro("turn", &Position::turn)
        .def_prop_ro("captured", &Position::captured)
        .def_prop_ro("quiet", &Position::quiet)
        .def_prop_ro("ply", &Position::ply)
        .def_prop_ro("hash", &Position::hash)
        .def("outcome",
             [](const Position& self) -> std::optional<std::pair<std::optional<int>, std::string>> {
                 const Outcome outcome = self.outcome();
                 if (!outcome) return std::nullopt;
                 std::optional<int> winner;
                 if (outcome.winner != NOBODY) winner = outcome.winner;
                 return std::pair{winner, std::string(outcome.reason_name())};
             })
        .def(
            "perft",
            [](const Position& self, int depth, bool bulk) {
                const Position copy = self; // without the GIL the caller may change its own
                nb::gil_scoped_release release;
                return copy.perft(depth, perft_mode(bulk));
            },
            "depth"_a, "bulk"_a = true)
        .def("__repr__", [](const Position& self) { return "Position('" + self.text() + "')"; });
    bind_rules_queries(m);
    bind_review(m);
    bind_proof(m);
    bind_lab(m);
    bind_search(m);
    bind_match(m);
    bind_env(m);
}
