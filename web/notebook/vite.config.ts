import { defineConfig } from "vite";
import { licences } from "../licences.ts";

// The board for notebooks: one module and one style sheet in the Python package.
export default defineConfig({
  root: "notebook",
  publicDir: false,
  plugins: [licences()],
  build: {
    outDir: "../../src/sumito/notebook/static",
    emptyOutDir: true,
    target: "es2022",
    // Browsers that know light-dark(): elsewhere nothing would say which of the two it is.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    lib: {
      entry: "widget.ts",
      formats: ["es"],
      fileName: () => "widget.js",
      cssFileName: "widget",
    },
  },
});
