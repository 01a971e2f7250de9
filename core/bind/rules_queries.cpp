// Python binding of the queries that the page makes, for the differential test.
#include "bind/bind.hpp"
#include "kernel/formations.hpp"
#include "kernel/notation.hpp"
#include "kernel/symmetry.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

namespace {

using Names = std::vector<std::string>;

Names names_of(const Cells& cells) {
    Names names;
    for (const int cell : cells) names.push_back(cell_name(cell));
    return names;
}

std::optional<int> colour_or_none(int colour) {
    return colour == NOBODY ? std::nullopt : std::optional<int>(colour);
}

using EffectTuple = std::tuple<Names, Names, std::optional<int>>;

EffectTuple tuple_of(const Effect& effect) {
    return {names_of(effect.moved), names_of(effect.pushed), colour_or_none(effect.ejected)};
}

nb::object refusal_tuple(const Refusal& refusal) {
    if (!refusal) return nb::none();
    nb::dict values;
    for (const Refusal::Value& value : refusal.values)
        std::visit(
            [&](const auto& is) {
                values[nb::str(value.name.data(), value.name.size())] = nb::cast(is);
            },
            value.is);
    return nb::make_tuple(std::string(refusal.code), values);
}

Notation notation_of(std::string_view name) {
    if (const auto notation = notation_named(name)) return *notation;
    throw std::invalid_argument("no notation is called '" + std::string(name) + "'");
}

nb::dict formation_dict(const Formation& found) {
    nb::dict dict;
    dict["word"] = std::string(WORD_NAMES[static_cast<std::size_t>(found.word)]);
    dict["colour"] = found.colour;
    dict["cells"] = names_of(found.cells);
    if (found.word == Word::triple)
        dict["shape"] = std::string(WORD_NAMES[static_cast<std::size_t>(found.shape)]);
    if (found.word == Word::sumito || found.word == Word::pac) {
        dict["row"] = found.row;
        dict["direction"] = found.direction;
    }
    if (found.word == Word::sumito) {
        dict["behind"] = found.behind == NOWHERE ? nb::none() : nb::cast(cell_name(found.behind));
        dict["playable"] = found.playable;
        dict["moves"] = found.moves;
    }
    return dict;
}

int cell_named(const std::string& name) {
    for (int cell = 0; cell < CELLS; ++cell)
        if (cell_name(cell) == name) return cell;
    throw std::invalid_argument("'" + name + "' is not a cell");
}

} // namespace

void bind_rules_queries(nb::module_& m) {
    m.def(
        "effects",
        [](const Position& position) {
            std::vector<std::pair<int, EffectTuple>> all;
            for (const Effect& effect : effects_of(position))
                all.emplace_back(effect.index, tuple_of(effect));
            return all;
        },
        "position"_a, "Every legal move with (moved, pushed, ejected), in the order of numbers.");
    m.def(
        "why_illegal",
        [](const Position& position, int index) {
            return refusal_tuple(why_illegal(position, index));
        },
        "position"_a, "index"_a, "Why a move is illegal, as (code, values); None if it is legal.");
    m.def(
        "move_of",
        [](const Names& cells, int direction) -> std::optional<int> {
            Cells numbers;
            for (const std::string& name : cells) numbers.push_back(cell_named(name));
            const int index = move_of(numbers, direction);
            return index == NO_MOVE ? std::nullopt : std::optional<int>(index);
        },
        "cells"_a, "direction"_a, "The move of these marbles in a direction, or None.");
    m.def(
        "write_move",
        [](const Position& position, int index, std::string_view notation) {
            const auto effect = effect_of(position, index);
            if (!effect) throw std::invalid_argument("an illegal move has no name here");
            return write_move(*effect, notation_of(notation));
        },
        "position"_a, "index"_a, "notation"_a, "The text of a legal move in a notation.");
    m.def(
        "read_move",
        [](const Position& position, std::string_view text, std::string_view notation) {
            const ReadMove read = read_move(position, text, notation_of(notation));
            return read.refusal ? refusal_tuple(read.refusal) : nb::cast(read.index);
        },
        "position"_a, "text"_a, "notation"_a,
        "The number of a legal move, or the reason against it as (code, values).");
    m.def(
        "formations",
        [](const Position& position) {
            nb::typed<nb::list, nb::typed<nb::dict, nb::str, nb::object>> all;
            for (const Formation& found : find_formations(position))
                all.append(formation_dict(found));
            return all;
        },
        "position"_a, "Every formation on the board, by kind and colour.");
    m.def(
        "canonical_keys",
        [](const Position& position, const std::vector<int>& moves) {
            std::vector<std::tuple<std::uint64_t, int, std::optional<int>>> keys;
            Position at = position;
            const auto add = [&](std::optional<int> move) {
                const CanonicalKey found = canonical_key(at);
                keys.emplace_back(found.key, found.symmetry, move);
            };
            for (const int index : moves) {
                add(index < 0 || index >= MOVES ? index : canonical_move(at, index));
                at.push(index);
            }
            add(std::nullopt);
            return keys;
        },
        "position"_a, "moves"_a = std::vector<int>{},
        "Before each move and after the last: (key, symmetry, move). Symmetric positions have the "
        "same key; `symmetry` maps to the canonical one, and `move` is the move there, the lowest "
        "of equivalent ones.");
    m.def(
        "transform_move",
        [](int index, int symmetry) {
            if (index < 0 || index >= MOVES || symmetry < 0 || symmetry >= SYMMETRIES)
                throw std::invalid_argument("a move is 0 to 1271, a symmetry 0 to 11");
            return transform_move(index, symmetry);
        },
        "index"_a, "symmetry"_a, "A move mapped by a symmetry.");
}
