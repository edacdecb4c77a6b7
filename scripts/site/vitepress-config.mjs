import { readFileSync } from "node:fs";

const settings = JSON.parse(readFileSync(new URL("./settings.json", import.meta.url), "utf8"));
/** The anchors of headings are those of `headings.ts`. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

export default {
  title: "Keelson",
  description: "A managed-OpenShift service that you can run yourself",
  lang: "en",
  themeConfig: {
    nav: settings.nav,
    sidebar: settings.sidebar,
    outline: [2, 3],
    search: { provider: "local" },
  },
  markdown: {
    // Documents have no HTML: what seems to be some is meant as text.
    html: false,
    emoji: { defs: {}, shortcuts: {} },
    anchor: { slugify },
    config(markdown) {
      // Pages are Vue templates, which would evaluate what stands in double braces.
      for (const name of ["text", "code_inline"]) {
        const render = markdown.renderer.rules[name];
        markdown.renderer.rules[name] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
      }
    },
  },
};
