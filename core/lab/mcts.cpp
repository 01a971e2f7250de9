// Gumbel AlphaZero: sequential halving at the root, deterministic selection by the improved policy
// below it.
#include "lab/mcts.hpp"

#include "env/planes.hpp"
#include "env/rewards.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <span>

namespace sumito {

namespace {

constexpr float C_VISIT = 50; // of the paper: visits added in the scale of values

struct PolicyResult {
    std::int64_t action = 0;
    float value = 0;
};

struct Edge {
    Action action;
    std::int32_t child = -1;
    std::int32_t visits = 0;
    float logit = 0;  // logarithm of the network's probability
    float gumbel = 0; // Gumbel noise, at the root only
    float total = 0;  // to the side that moves

    float mean() const { return total / static_cast<float>(visits); }
};

// The tree of one game. Nodes and edges are in two vectors and refer to each other by index.
template <Mode M>
class Tree {
  public:
    static constexpr int S = sides(M);
    using Values = std::array<float, S>;

    void begin(GameSnapshot<M>&& from) {
        root = std::move(from);
        nodes.clear();
        edges.clear();
        pending.clear();
        candidates.clear();
        simulations_done = 0;
        nodes.push_back({root.board, -1});
        nodes[0].repeats = count_repetitions(root.board, -1);
    }

    bool is_done(const MctsOptions& options) const {
        return root.is_over || simulations_done >= options.simulations;
    }

    // One round: a simulation through each candidate, so that each is in a subtree of its own.
    // Calls `found` with every leaf to be evaluated; ends of games are backed up at once.
    void simulate(const Batch& batch, const MctsOptions& options, auto&& found) {
        if (nodes[0].state == State::unexpanded) {
            pending.push_back({0, {}});
            found(0);
            return;
        }
        if (rounds_left == 0) next_phase(options);
        --rounds_left;
        for (const int edge : candidates) {
            if (simulations_done == options.simulations) return;
            ++simulations_done;
            const int leaf = descend(edge, batch, options);
            if (leaf != NOWHERE) found(leaf);
        }
    }

    void write(int at, const Batch& batch, const PlaneWriter& writer, std::uint8_t* observation,
               std::uint8_t* mask) const {
        const BatchOptions& settings = batch.settings();
        const Node& node = nodes[at];
        std::vector<std::array<Bits, colours(M)>> past;
        int above = node.parent;
        for (; above >= 0 && static_cast<int>(past.size()) + 1 < settings.history;
             above = nodes[above].parent)
            past.push_back(nodes[above].board.marbles);
        for (std::size_t k = 0; static_cast<int>(past.size()) + 1 < settings.history; ++k)
            past.push_back(root.past[k]);
        write_planes<M>(writer, node.board,
                        {settings.history, past.data(), node.repeats,
                         settings.plies_left(node.board.tally.ply(), batch.start_ply())},
                        observation);
        const LegalMoveSets sets = legal_move_sets(node.board, settings.rules);
        writer.mask(sets, mask);
    }

    // Takes the evaluations of the pending leaves, in the order they were found.
    void evaluate(const float*& logits, const float*& values, const Rules& rules,
                  const MctsOptions& options, std::mt19937_64& random) {
        for (const auto& [at, path] : pending) {
            expand(at, logits, rules);
            Values value;
            const int side = nodes[at].board.side();
            for (int k = 0; k < S; ++k) value[(side + k) % S] = values[k];
            nodes[at].value = value;
            back_up(path, value);
            if (at == 0) choose_candidates(options, random);
            logits += MOVES;
            values += S;
        }
        pending.clear();
    }

    void visits(std::int32_t* out) const {
        std::fill_n(out, MOVES, 0);
        for (const Edge& edge : edges_of(nodes[0])) out[edge.action.index] = edge.visits;
    }

    // Writes the improved policy; returns the move to play and the value.
    PolicyResult improved_policy(const MctsOptions& options, float* policy) const {
        std::fill_n(policy, MOVES, 0.0f);
        const auto moves = edges_of(nodes[0]);
        if (moves.empty()) return {};
        PolicyResult result;
        const std::vector<float> probabilities = policy_at(nodes[0], options);
        const float mixed = mixed_value(nodes[0]);
        for (std::size_t k = 0; k < moves.size(); ++k) {
            policy[moves[k].action.index] = probabilities[k];
            result.value += probabilities[k] * (moves[k].visits ? moves[k].mean() : mixed);
        }
        const float scale = value_scale(nodes[0], options);
        const auto best = std::ranges::max_element(candidates, {}, [&](int edge) {
            return std::pair(edges[edge].visits, score(edge, scale));
        });
        result.action = edges[*best].action.index;
        return result;
    }

  private:
    enum class State : std::uint8_t { unexpanded, expanded };
    struct Node {
        Board<M> board;
        int parent;
        int first = 0; // of its edges
        int count = 0;
        int repeats = 0;
        Values value{};
        State state = State::unexpanded;
        bool is_end = false;
    };
    struct PendingLeaf {
        int node;
        std::vector<int> path;
    };

    GameSnapshot<M> root;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<PendingLeaf> pending;
    int simulations_done = 0;

    // Sequential halving: the root moves still considered, and the rounds left of this phase.
    std::vector<int> candidates;
    int phases = 0;
    int rounds_left = 0;

    std::span<const Edge> edges_of(const Node& node) const {
        return std::span(edges).subspan(static_cast<std::size_t>(node.first),
                                        static_cast<std::size_t>(node.count));
    }

    // Earlier occurrences of a board, above it in the tree and in the game so far.
    int count_repetitions(const Board<M>& board, int parent) const {
        int times = 0;
        for (int at = parent; at >= 0; at = nodes[at].parent) {
            if (nodes[at].board.tally.quiet() >= board.tally.quiet()) return times;
            times += nodes[at].board.same_as(board);
        }
        for (std::size_t i = root.since_ejection.size();
             i-- > 0 && root.since_ejection[i].tally.quiet() < board.tally.quiet();)
            times += root.since_ejection[i].same_as(board);
        return times;
    }

    int make_node(int parent, Action action, const Batch& batch) {
        const BatchOptions& settings = batch.settings();
        Node node{play(nodes[parent].board, action, settings.rules), parent};
        if (settings.rules.repetition) node.repeats = count_repetitions(node.board, parent);
        const Outcome outcome =
            outcome_of(node.board, settings.rules,
                       settings.rules.repetition && node.repeats + 1 >= settings.rules.repetition);
        if (outcome) {
            node.is_end = true;
            node.value = final_rewards(node.board, outcome);
        } else if (node.board.tally.ply() - batch.start_ply() >= settings.ply_limit) {
            node.is_end = true; // truncated: value 0
        }
        nodes.push_back(node);
        return static_cast<int>(nodes.size()) - 1;
    }

    // Descends from a root move to a leaf: its index, or NOWHERE if the game ends there.
    int descend(int edge, const Batch& batch, const MctsOptions& options) {
        std::vector<int> path;
        for (int at = 0;; edge = best_edge(nodes[at], options)) {
            path.push_back(edge);
            if (edges[edge].child < 0) edges[edge].child = make_node(at, edges[edge].action, batch);
            at = edges[edge].child;
            if (nodes[at].is_end) {
                back_up(path, nodes[at].value);
                return NOWHERE;
            }
            if (nodes[at].state == State::unexpanded) {
                pending.push_back({at, std::move(path)});
                return at;
            }
        }
    }

    // Below the root: the move whose share of visits is furthest below the improved policy.
    int best_edge(const Node& node, const MctsOptions& options) const {
        const std::vector<float> probabilities = policy_at(node, options);
        const auto moves = edges_of(node);
        int visits_sum = 1;
        for (const Edge& edge : moves) visits_sum += edge.visits;
        std::size_t best = 0;
        float largest = -1e30f;
        for (std::size_t k = 0; k < moves.size(); ++k) {
            const float deficit = probabilities[k] - static_cast<float>(moves[k].visits) /
                                                         static_cast<float>(visits_sum);
            if (deficit > largest) {
                largest = deficit;
                best = k;
            }
        }
        return node.first + static_cast<int>(best);
    }

    // The improved policy: softmax of logits plus scaled completed values.
    std::vector<float> policy_at(const Node& node, const MctsOptions& options) const {
        const float scale = value_scale(node, options);
        const float mixed = mixed_value(node);
        std::vector<float> probabilities;
        probabilities.reserve(static_cast<std::size_t>(node.count));
        float highest = -1e30f;
        for (const Edge& edge : edges_of(node)) {
            probabilities.push_back(edge.logit + scale * (edge.visits ? edge.mean() : mixed));
            highest = std::max(highest, probabilities.back());
        }
        float sum = 0;
        for (float& probability : probabilities)
            sum += probability = std::exp(probability - highest);
        for (float& probability : probabilities) probability /= sum;
        return probabilities;
    }

    // The scale of values against logits, growing with the visits (sigma in the paper).
    float value_scale(const Node& node, const MctsOptions& options) const {
        int most = 0;
        for (const Edge& edge : edges_of(node)) most = std::max(most, edge.visits);
        return options.c_scale * (C_VISIT + static_cast<float>(most));
    }

    // The value of unvisited moves: the network's value mixed with those of the visited moves,
    // weighted by their probabilities (v_mix in the paper).
    float mixed_value(const Node& node) const {
        float probability = 0, value = 0;
        int visits_sum = 0;
        for (const Edge& edge : edges_of(node)) {
            if (!edge.visits) continue;
            const float prior = std::max(std::exp(edge.logit), 1e-30f);
            probability += prior;
            value += prior * edge.mean();
            visits_sum += edge.visits;
        }
        const float network_value = node.value[node.board.side()];
        if (!visits_sum) return network_value;
        const auto n = static_cast<float>(visits_sum);
        return (network_value + n * value / probability) / (1 + n);
    }

    void expand(int at, const float* logits, const Rules& rules) {
        ActionList list;
        generate(nodes[at].board, rules, list);
        const auto logit = [&](Action action) {
            return std::clamp(logits[action.index], -1e30f, 1e30f); // infinite logits are allowed
        };
        float highest = -1e30f;
        for (const Action action : list) highest = std::max(highest, logit(action));
        float sum = 0;
        for (const Action action : list) sum += std::exp(logit(action) - highest);
        nodes[at].first = static_cast<int>(edges.size());
        nodes[at].count = list.size;
        nodes[at].state = State::expanded;
        for (const Action action : list) {
            Edge edge{action};
            edge.logit = logit(action) - highest - std::log(sum);
            edges.push_back(edge);
        }
    }

    // Gumbel-top-k: the best root moves by logit plus Gumbel noise, which samples by probability
    // without replacement.
    void choose_candidates(const MctsOptions& options, std::mt19937_64& random) {
        std::extreme_value_distribution<float> gumbel;
        candidates.resize(edges.size());
        std::iota(candidates.begin(), candidates.end(), 0);
        if (options.gumbel_scale > 0)
            for (Edge& edge : edges) edge.gumbel = options.gumbel_scale * gumbel(random);
        keep_best(options.max_considered, options);
        const auto count = static_cast<unsigned>(candidates.size());
        phases = std::max(1, static_cast<int>(std::bit_width(count - 1)));
        rounds_left = rounds(options);
    }

    // Halves the candidates.
    void next_phase(const MctsOptions& options) {
        keep_best(std::max(2, static_cast<int>(candidates.size()) / 2), options);
        rounds_left = rounds(options);
    }

    // Rounds of a phase: simulations are shared equally among the phases, if possible.
    int rounds(const MctsOptions& options) const {
        return std::max(1, options.simulations / (phases * static_cast<int>(candidates.size())));
    }

    void keep_best(int count, const MctsOptions& options) {
        const float scale = value_scale(nodes[0], options);
        std::ranges::stable_sort(candidates, std::greater{},
                                 [&](int edge) { return score(edge, scale); });
        if (static_cast<int>(candidates.size()) > count)
            candidates.resize(static_cast<std::size_t>(count));
    }

    float score(int number, float scale) const {
        const Edge& edge = edges[number];
        return edge.logit + edge.gumbel + (edge.visits ? scale * edge.mean() : 0);
    }

    int parent_of(const Edge& edge) const { return nodes[edge.child].parent; }

    void back_up(const std::vector<int>& path, const Values& value) {
        for (const int number : path) {
            Edge& edge = edges[number];
            ++edge.visits;
            edge.total += value[nodes[parent_of(edge)].board.side()];
        }
    }
};

template <Mode M>
class MctsOf final : public Mcts {
  public:
    MctsOf(const Batch& batch, const MctsOptions& options)
        : batch(batch), options(options), writer(batch.settings().disable_simd),
          trees(static_cast<std::size_t>(batch.settings().games)), random(options.seed) {
        begin();
    }

    void begin() final {
        for (std::size_t i = 0; i < trees.size(); ++i)
            trees[i].begin(std::get<GameSnapshot<M>>(batch.snapshot(static_cast<int>(i))));
        leaves = 0;
    }

    int gather(std::uint8_t* observations, std::uint8_t* masks) override {
        const std::size_t bytes =
            static_cast<std::size_t>(planes_of(M, batch.settings().history)) * PLANE;
        if (leaves) return static_cast<int>(leaves); // not yet evaluated
        for (Tree<M>& tree : trees) {
            const std::size_t before = leaves;
            // Simulations that end games need no evaluation: then run another round at once.
            while (leaves == before && !tree.is_done(options))
                tree.simulate(batch, options, [&](int leaf) {
                    tree.write(leaf, batch, writer, observations + leaves * bytes,
                               masks + leaves * MOVES);
                    ++leaves;
                });
        }
        return static_cast<int>(leaves);
    }

    void evaluate(const float* logits, const float* values) override {
        for (Tree<M>& tree : trees)
            tree.evaluate(logits, values, batch.settings().rules, options, random);
        leaves = 0;
    }

    void visits(std::int32_t* out) const override {
        for (const Tree<M>& tree : trees) {
            tree.visits(out);
            out += MOVES;
        }
    }

    void improved_policy(float* policy, std::int64_t* actions, float* values) const override {
        for (const Tree<M>& tree : trees) {
            const PolicyResult result = tree.improved_policy(options, policy);
            *actions++ = result.action;
            *values++ = result.value;
            policy += MOVES;
        }
    }

  private:
    const Batch& batch;
    const MctsOptions options;
    const PlaneWriter writer;
    std::vector<Tree<M>> trees;
    std::size_t leaves = 0; // not yet evaluated
    std::mt19937_64 random;
};

} // namespace

std::unique_ptr<Mcts> make_mcts(const Batch& batch, const MctsOptions& options) {
    switch (batch.mode()) {
    case Mode::two:
        return std::make_unique<MctsOf<Mode::two>>(batch, options);
    case Mode::three:
        return std::make_unique<MctsOf<Mode::three>>(batch, options);
    case Mode::teams:
        return std::make_unique<MctsOf<Mode::teams>>(batch, options);
    default:
        return std::make_unique<MctsOf<Mode::teams_double>>(batch, options);
    }
}

} // namespace sumito
