// The layers of the page, lowest first, for dependency-cruiser: a file imports its own folder and
// lower ones. Features stand side by side and import no other; `app` puts them together.

const LOWER = ["board", "domain", "client", "kernel", "storage", "record", "ui"];
const FEATURES = [
  ...["play", "lobby", "library", "account", "analysis", "review", "coach"],
  ...["puzzles", "learn", "editor", "embed", "share"],
];

const folder = (names) => `^src/(${names.join("|")})/`;
const above = (name) => [...LOWER.slice(LOWER.indexOf(name) + 1), ...FEATURES, "app"];

module.exports = {
  forbidden: [
    ...LOWER.map((name) => ({
      name: `${name}-imports-lower-layers-only`,
      severity: "error",
      from: { path: folder([name]) },
      to: { path: folder(above(name)) },
    })),
    {
      name: "board-stands-alone",
      comment: "It is published as a package of its own.",
      severity: "error",
      from: { path: folder(["board"]) },
      to: { path: "^src/", pathNot: folder(["board"]) },
    },
    {
      name: "features-import-no-other-feature",
      severity: "error",
      from: { path: folder(FEATURES) },
      to: { path: folder([...FEATURES, "app"]), pathNot: "^src/$1/" },
    },
    {
      name: "every-file-in-a-layer",
      severity: "error",
      from: { path: "^src/", pathNot: folder([...LOWER, ...FEATURES, "app"]) },
      to: {},
    },
    {
      name: "no-cycles",
      comment: "Imports of types count too.",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { extensions: [".ts", ".js"] },
  },
};
