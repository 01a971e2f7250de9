// Python binding of the proof search.
#include "lab/proof.hpp"
#include "bind/bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

namespace {

Aim aim_named(std::string_view name) {
    if (name == "eject") return Aim::eject;
    if (name == "win") return Aim::win;
    throw std::invalid_argument("an aim is one of eject, win, not '" + std::string(name) + "'");
}

} // namespace

void bind_proof(nb::module_& m) {
    m.def(
        "forcing_moves",
        [](const Position& position, std::string_view aim, int moves, std::uint64_t nodes) {
            const Aim wanted = aim_named(aim);
            const Position copy = position;
            nb::gil_scoped_release release;
            return forcing_moves(copy, wanted, moves, nodes);
        },
        "position"_a, "aim"_a, "moves"_a, "nodes"_a = 100'000'000,
        "The moves with which the side to move forces an ejection, or a win, within `moves` moves "
        "of its own. None if one of them takes more than `nodes` nodes.");
    m.def(
        "safe_moves",
        [](const Position& position, int moves, std::uint64_t nodes) {
            const Position copy = position;
            nb::gil_scoped_release release;
            return safe_moves(copy, moves, nodes);
        },
        "position"_a, "moves"_a, "nodes"_a = 100'000'000,
        "The moves after which no other side can force the next ejection within `moves` moves of "
        "its own. None if one of them takes more than `nodes` nodes.");
}
