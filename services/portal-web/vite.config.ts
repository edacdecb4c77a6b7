import { defineConfig, type Plugin } from "vite";

/**
 * Plugin that removes PatternFly's fonts, because the pages use system fonts. PatternFly's fonts would be more than half of the
 * data that a first visit downloads.
 */
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
    // Assets are never inlined, because the Content-Security-Policy forbids inline scripts and images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // File names are in lower case, because a server between browser and portal may convert paths to lower case.
    rollupOptions: {
      output: {
        hashCharacters: "hex",
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: ({ name }) => `assets/${name.toLowerCase()}-[hash].js`,
        assetFileNames: "assets/[hash][extname]",
      },
      onLog(level, log, handler) {
        // Warnings about the directive "use client" are ignored, because it is relevant only for server-side rendering.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handler(level, log);
      },
    },
  },
});
