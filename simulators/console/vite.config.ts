import { defineConfig, type Plugin } from "vite";

/** Pages use system fonts. PatternFly's fonts would be more than half of a first visit's size. */
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
    // A strict Content-Security-Policy allows neither scripts nor images within a document.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Paths may be compared in lower case on their way.
    rollupOptions: {
      output: {
        hashCharacters: "hex",
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: ({ name }) => `assets/${name.toLowerCase()}-[hash].js`,
        assetFileNames: "assets/[hash][extname]",
      },
      onLog(level, log, handler) {
        // "use client" is for servers that render React.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handler(level, log);
      },
    },
  },
});
