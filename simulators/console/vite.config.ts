import { defineConfig, type Plugin } from "vite";

/** Removes PatternFly's fonts, more than half of the initial download. Pages use system fonts. */
const withoutFonts: Plugin = {
  name: "without-fonts",
  enforce: "pre",
  transform: (code, id) =>
    id.includes("/react-core/dist/styles/") ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, "") : undefined,
};

export default defineConfig({
  plugins: [withoutFonts],
  build: {
    target: "es2023",
    // Disables inlining because the Content-Security-Policy forbids inline scripts and images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Some file systems and proxies ignore case in paths, so file names use lower case only.
    rollupOptions: {
      output: {
        hashCharacters: "hex",
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: ({ name }) => `assets/${name.toLowerCase()}-[hash].js`,
        assetFileNames: "assets/[hash][extname]",
      },
      onLog(level, log, handler) {
        // Ignores warnings about "use client", a directive for React server rendering.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handler(level, log);
      },
    },
  },
});
