import { defineConfig } from "vite";

// The page is built into the Python package, which serves it.
export default defineConfig({
  build: {
    outDir: "../src/sumito/server/static",
    emptyOutDir: true,
    target: "es2022",
    // Inlined assets would be data: URLs, which the page's Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/api": "http://127.0.0.1:8000", "/ws": { target: "ws://127.0.0.1:8000", ws: true } },
  },
});
