import { defineConfig } from "vitest/config";

export default defineConfig({
  // Relative, so that the page also works below a proxy's path.
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    // A data: URL in the page would be one more thing to allow in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
