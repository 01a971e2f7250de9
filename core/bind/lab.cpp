// Python binding of networks, self-play and training.
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

// Self-play that another thread may stop.
struct Selfplay {
    SelfplayConfig config;
    Stop stop;

    nb::bytes run() {
        std::vector<Sample> samples;
        const SearchMonitor monitor{{}, signal_listener(), &stop};
        {
            nb::gil_scoped_release release;
            samples = play_games(config, monitor);
        }
        return nb::bytes(reinterpret_cast<const char*>(samples.data()),
                         samples.size() * sizeof(Sample));
    }
};

std::string_view text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// The evaluation of a position for the side to move; handcrafted where the network has no part.
int evaluate(const Network& network, const Position& position) {
    return std::visit(
        [&]<Mode M>(const Game<M>& game) {
            const Evaluator<M> evaluator({}, &network, game.board);
            return evaluator.value(evaluator.start(game.board), game.board, game.board.side());
        },
        position.any);
}

void bind_network(nb::module_& m) {
    nb::class_<ModeNetwork>(m, "ModeNetwork", "The part of a network for one mode.")
        .def_prop_ro("mode", [](const ModeNetwork& self) { return std::string(name(self.mode())); })
        .def_prop_ro("hidden", &ModeNetwork::hidden)
        .def_prop_ro("scale", &ModeNetwork::scale)
        .def_prop_ro("facts", &ModeNetwork::facts, "JSON about its training.")
        .def_prop_ro("checksum", &ModeNetwork::checksum)
        .def_prop_ro("second", &ModeNetwork::second_size, "Neurons of the second layer, or 0.")
        .def_prop_ro("uses_simd", &ModeNetwork::uses_simd);
    nb::class_<Network>(m, "Network", "A network for the evaluation of one mode or several.")
        .def(
            "__init__",
            [](Network* self, const nb::bytes& file, bool disable_simd) {
                new (self) Network(text_of(file), disable_simd ? Simd::scalar : Simd::avx512);
            },
            "file"_a, nb::kw_only(), "disable_simd"_a = false,
            "Read the contents of a file; ValueError if they are invalid.")
        .def_prop_ro("parts", &Network::all, nb::rv_policy::reference_internal,
                     "The parts it has, by mode.")
        .def("value", &evaluate, "position"_a, "The value of a position for the side to move.");
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
    nb::class_<Trainer>(m, "Trainer", "Trains a network from samples.")
        .def(
            "__init__",
            [](Trainer* self, const std::string& mode, int hidden, int second_layer, int epochs,
               int batch, double learning_rate, double score_weight, double td_lambda,
               double held_lead_log_odds, int scale, int validation, int score_clamp,
               double ranking_weight, int threads, std::uint64_t seed, bool disable_simd) {
                new (self) Trainer(TrainConfig{
                    mode_from(mode), hidden, second_layer, epochs, batch, learning_rate,
                    score_weight, td_lambda, held_lead_log_odds, scale, validation, score_clamp,
                    ranking_weight, threads, seed, disable_simd ? Simd::scalar : Simd::avx512});
            },
            nb::kw_only(), "mode"_a = "two", "hidden"_a = 128, "second_layer"_a = 0,
            "epochs"_a = 10, "batch"_a = TrainConfig{}.batch,
            "learning_rate"_a = TrainConfig{}.learning_rate,
            "score_weight"_a = TrainConfig{}.score_weight, "td_lambda"_a = TrainConfig{}.td_lambda,
            "held_lead_log_odds"_a = TrainConfig{}.held_lead_log_odds, "scale"_a = 400,
            "validation"_a = 50, "score_clamp"_a = TrainConfig{}.score_clamp,
            "ranking_weight"_a = TrainConfig{}.ranking_weight, "threads"_a = 1, "seed"_a = 1,
            "disable_simd"_a = false)
        .def(
            "add", [](Trainer& self, const nb::bytes& samples) { self.add(samples_of(samples)); },
            "samples"_a, "Add samples, in the order of their games.")
        .def(
            "add_validation",
            [](Trainer& self, const nb::bytes& samples) {
                self.add_validation(samples_of(samples));
            },
            "samples"_a, "Add samples for validation only.")
        .def("end_source", &Trainer::end_source,
             "End a source: later samples have scores in a unit of their own.")
        .def(
            "begin",
            [](Trainer& self, const Network* start) {
                nb::gil_scoped_release release;
                if (!start) return self.begin();
                const ModeNetwork* const same = start->of(self.mode());
                const ModeNetwork* const part = same ? same : start->of(Mode::two);
                if (!part) throw std::invalid_argument("no part of the network fits the mode");
                self.begin(part);
            },
            "start"_a = nb::none(),
            "Start training after the last samples, from a network if given one.")
        .def(
            "epoch",
            [](Trainer& self) {
                const auto should_continue = signal_listener();
                nb::gil_scoped_release release;
                const Trainer::Loss loss = self.epoch(should_continue);
                return std::tuple{loss.training, loss.validation};
            },
            "Train on every sample once; return the training and the validation loss.")
        .def_prop_ro("training_size", &Trainer::training_size)
        .def_prop_ro("validation_size", &Trainer::validation_size)
        .def_prop_ro("games", &Trainer::games)
        .def_prop_ro("score_unit", &Trainer::score_unit)
        .def(
            "file",
            [](const Trainer& self, const std::string& facts) {
                return bytes_of(self.file(facts));
            },
            "facts"_a, "The contents of a network file.");
}

} // namespace

void bind_lab(nb::module_& m) {
    bind_network(m);
    bind_trainer(m);
    m.attr("SAMPLE_BYTES") = sizeof(Sample);
    nb::class_<Selfplay>(m, "Selfplay", "A chunk of self-play games.")
        .def(
            "__init__",
            [](Selfplay* self, const std::vector<std::string>& openings, int games,
               std::uint64_t first, std::uint64_t nodes, std::uint64_t seed, int ply_limit,
               int random_side_permille, const std::map<std::string, int>& tuning,
               std::shared_ptr<Network> network) {
                new (self) Selfplay;
                self->config.openings = openings;
                self->config.games = games;
                self->config.first = first;
                self->config.nodes = nodes;
                self->config.seed = seed;
                self->config.rules.repetition = 3;
                self->config.rules.ply_limit = ply_limit;
                self->config.random_side_permille = random_side_permille;
                self->config.tuning = tuning_from(tuning);
                // No contempt, which would bias scores by the side to move.
                if (!tuning.contains("contempt")) self->config.tuning.contempt = 0;
                self->config.tuning.network = std::move(network);
            },
            "openings"_a, nb::kw_only(), "games"_a, "first"_a = 0, "nodes"_a = 1000, "seed"_a = 1,
            "ply_limit"_a = 300, "random_side_permille"_a = 0,
            "tuning"_a = std::map<std::string, int>{}, "network"_a = nb::none())
        .def("run", &Selfplay::run, "Play, and return the samples of whole games.")
        .def(
            "stop", [](Selfplay& self) { self.stop.set(); },
            "Stop it, from any thread, before or while it runs.");
}
