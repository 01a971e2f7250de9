import { defineConfig } from "vite";

// One module that defines <sumito-board>, and its style sheet.
export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    // Browsers that know light-dark(): elsewhere nothing would say which of the two it is.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    lib: {
      entry: "src/index.ts",
      formats: ["es"],
      fileName: "sumito-board",
      cssFileName: "sumito-board",
    },
  },
});
