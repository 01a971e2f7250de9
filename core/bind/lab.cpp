// The Python face of networks, self-play and training.
#include "bind/bind.hpp"
#include "eval/evaluator.hpp"
#include "kernel/position.hpp"
#include "lab/selfplay.hpp"
#include "lab/trainer.hpp"

#include <cstring>

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

namespace {

// Games in progress that another thread may break off.
struct Selfplay {
    SelfplayConfig config;
    Stop stop;

    nb::bytes run() {
        std::vector<Sample> samples;
        const Watch watch{{}, signal_listener(), &stop};
        {
            nb::gil_scoped_release release;
            samples = play_games(config, watch);
        }
        return nb::bytes(reinterpret_cast<const char*>(samples.data()),
                         samples.size() * sizeof(Sample));
    }
};

std::string_view text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// The judgement of a position for the side to move; by hand where the network has none.
int judge(const Network& network, const Position& position) {
    return std::visit(
        [&]<Mode M>(const Game<M>& game) {
            const Evaluator<M> evaluator({}, &network, game.board);
            return evaluator.value(evaluator.start(game.board), game.board, game.board.side());
        },
        position.any);
}

void bind_network(nb::module_& m) {
    nb::class_<Layers>(m, "Layers", "The part of a network for one mode.")
        .def_prop_ro("mode", [](const Layers& self) { return std::string(name(self.mode())); })
        .def_prop_ro("hidden", &Layers::hidden)
        .def_prop_ro("scale", &Layers::scale)
        .def_prop_ro("facts", &Layers::facts, "JSON that tells of its training.")
        .def_prop_ro("checksum", &Layers::checksum)
        .def_prop_ro("second", &Layers::second_size, "Neurons of the second layer, or none.")
        .def_prop_ro("is_wide", &Layers::is_wide);
    nb::class_<Network>(m, "Network", "An evaluation learnt from games, of one mode or several.")
        .def(
            "__init__",
            [](Network* self, const nb::bytes& file, bool plain) {
                new (self) Network(text_of(file), plain ? Registers::plain : Registers::widest);
            },
            "file"_a, nb::kw_only(), "plain"_a = false,
            "From the contents of a file; ValueError says why they don't fit. `plain` leaves wide "
            "registers unused, to compare.")
        .def_prop_ro("parts", &Network::all, nb::rv_policy::reference_internal,
                     "By mode, those it has.")
        .def("value", &judge, "position"_a, "What a position is worth to the side to move.");
}

std::vector<Sample> samples_of(const nb::bytes& bytes) {
    const std::size_t count = bytes.size() / sizeof(Sample);
    if (count * sizeof(Sample) != bytes.size())
        throw std::invalid_argument("the samples end within one");
    std::vector<Sample> whole(count); // aligned, as bytes needn't be
    if (count) std::memcpy(whole.data(), bytes.c_str(), bytes.size());
    for (const Sample& sample : whole)
        if (!is_sound(sample)) throw std::invalid_argument("a sample is not of any position");
    return whole;
}

Mode mode_from(const std::string& text) {
    const std::optional<Mode> mode = mode_named(text);
    if (!mode) throw std::invalid_argument("no mode is called '" + text + "'");
    return *mode;
}

void bind_trainer(nb::module_& m) {
    nb::class_<Trainer>(m, "Trainer", "Learns a network from samples.")
        .def(
            "__init__",
            [](Trainer* self, const std::string& mode, int hidden, int second, int epochs,
               int batch, double rate, double trust, double lookahead, double held, int scale,
               int validation, int doubt, double order, int threads, std::uint64_t seed,
               bool plain) {
                new (self)
                    Trainer(TrainConfig{mode_from(mode), hidden, second, epochs, batch, rate, trust,
                                        lookahead, held, scale, validation, doubt, order, threads,
                                        seed, plain ? Registers::plain : Registers::widest});
            },
            nb::kw_only(), "mode"_a = "two", "hidden"_a = 128, "second"_a = 0, "epochs"_a = 10,
            "batch"_a = TrainConfig{}.batch, "rate"_a = TrainConfig{}.rate,
            "trust"_a = TrainConfig{}.trust, "lookahead"_a = TrainConfig{}.lookahead,
            "held"_a = TrainConfig{}.held, "scale"_a = 400, "validation"_a = 50,
            "doubt"_a = TrainConfig{}.doubt, "order"_a = TrainConfig{}.order, "threads"_a = 1,
            "seed"_a = 1, "plain"_a = false)
        .def(
            "add", [](Trainer& self, const nb::bytes& samples) { self.add(samples_of(samples)); },
            "samples"_a, "In the order of their games.")
        .def(
            "keep_aside",
            [](Trainer& self, const nb::bytes& samples) { self.keep_aside(samples_of(samples)); },
            "samples"_a, "Samples to check on only.")
        .def("next_teacher", &Trainer::next_teacher,
             "What follows was scored by another searcher, in a unit of its own.")
        .def(
            "begin",
            [](Trainer& self, const Network* start) {
                nb::gil_scoped_release release;
                if (!start) return self.begin();
                const Layers* const same = start->of(self.mode());
                const Layers* const part = same ? same : start->of(Mode::two);
                if (!part) throw std::invalid_argument("no part of the network fits the mode");
                self.begin(part);
            },
            "start"_a = nb::none(), "After the last samples; goes on from a network if given one.")
        .def(
            "epoch",
            [](Trainer& self) {
                const auto goes_on = signal_listener();
                nb::gil_scoped_release release;
                const Trainer::Loss loss = self.epoch(goes_on);
                return std::tuple{loss.training, loss.validation};
            },
            "Learns from every sample once: the loss on them, and on games kept aside.")
        .def_prop_ro("training_size", &Trainer::training_size)
        .def_prop_ro("validation_size", &Trainer::validation_size)
        .def_prop_ro("games", &Trainer::games)
        .def_prop_ro("score_unit", &Trainer::score_unit)
        .def(
            "file",
            [](const Trainer& self, const std::string& facts) {
                return bytes_of(self.file(facts));
            },
            "facts"_a, "The network so far, as the contents of a file.");
}

} // namespace

void bind_lab(nb::module_& m) {
    bind_network(m);
    bind_trainer(m);
    m.attr("SAMPLE_BYTES") = sizeof(Sample);
    nb::class_<Selfplay>(m, "Selfplay", "A batch of games of the engine against itself.")
        .def(
            "__init__",
            [](Selfplay* self, const std::vector<std::string>& openings, int games,
               std::uint64_t first, std::uint64_t nodes, std::uint64_t seed, int ply_limit,
               int uneven, const std::map<std::string, int>& tuning,
               std::shared_ptr<Network> network) {
                new (self) Selfplay;
                self->config.openings = openings;
                self->config.games = games;
                self->config.first = first;
                self->config.nodes = nodes;
                self->config.seed = seed;
                self->config.rules.repetition = 3;
                self->config.rules.ply_limit = ply_limit;
                self->config.uneven = uneven;
                self->config.tuning = tuning_from(tuning);
                // A draw costs nobody anything, or scores would lean by who is to move.
                if (!tuning.contains("contempt")) self->config.tuning.contempt = 0;
                self->config.tuning.network = std::move(network);
            },
            "openings"_a, nb::kw_only(), "games"_a, "first"_a = 0, "nodes"_a = 1000, "seed"_a = 1,
            "ply_limit"_a = 300, "uneven"_a = 0, "tuning"_a = std::map<std::string, int>{},
            "network"_a = nb::none())
        .def("run", &Selfplay::run, "Plays, and gives the samples of whole games.")
        .def(
            "stop", [](Selfplay& self) { self.stop.set(); },
            "From any thread, before it runs or while it does.");
}
