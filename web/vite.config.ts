import { defineConfig } from "vite";
import { licences } from "./licences.ts";
import { serviceWorker } from "./offline/plugin.ts";

// The page is built into the Python package, which serves it.
export default defineConfig({
  // Files name each other relatively, so that the same page also lies in any folder of a web host;
  // only the index, which is served under every address, says where they are.
  experimental: {
    renderBuiltUrl: (name, { hostType }) => (hostType === "html" ? `/${name}` : { relative: true }),
  },
  plugins: [
    licences(["../LICENSES/wasi-libc.txt", "../LICENSES/nunito.txt"]),
    serviceWorker("offline/sw.js"),
  ],
  worker: { format: "es" },
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
