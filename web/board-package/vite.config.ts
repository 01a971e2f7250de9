import { defineConfig } from "vite";

// One module that defines <sumito-board>, and its style sheet.
export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    lib: {
      entry: "src/index.ts",
      formats: ["es"],
      fileName: "sumito-board",
      cssFileName: "sumito-board",
    },
  },
});
