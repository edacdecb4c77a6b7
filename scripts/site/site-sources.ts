import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileAsPage } from "./file-pages.ts";
import { linkPage } from "./links.ts";
import { documentPages, type Page, pageUrl } from "./pages.ts";
import { referencePages } from "./reference-pages.ts";

export interface SiteSources {
  readonly pages: readonly Page[];
  /** Links of documents that lead nowhere, as `FILE: LINK`. */
  readonly dead: readonly string[];
}

/** All pages of the site, linked with each other. */
export function siteSources(root: string): SiteSources {
  const documents = documentPages(root);
  const reference = referencePages();
  const known = [...documents, ...reference];
  const linked = known.map((page) => ({ page, ...linkPage(page, known, root) }));
  const files = new Set(linked.flatMap((each) => each.files));
  return {
    pages: [
      ...linked.map(({ page, text }) => ({ ...page, text })),
      ...[...files].map((path) => fileAsPage(root, path)),
    ],
    dead: linked.flatMap((each) => each.dead),
  };
}

/** Writes the pages, and what VitePress needs to know, into `folder`, which holds nothing else. */
export function writeSources(pages: readonly Page[], folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { path, text } of pages) write(join(folder, path), text);
  const settings = { nav: navigation, sidebar: sidebar(pages) };
  write(join(folder, ".vitepress/settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
}

const navigation = [
  { text: "Start", link: "/" },
  { text: "Architecture", link: "/docs/architecture.html" },
  { text: "API reference", link: "/reference/" },
  { text: "Changes", link: "/CHANGELOG.html" },
];

const groups: readonly { readonly text: string; readonly holds: RegExp }[] = [
  { text: "Keelson", holds: /^(?:index|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/ },
  { text: "Operate and understand", holds: /^docs\/[^/]+$/ },
  { text: "Change it", holds: /^docs\/howto\// },
  { text: "API reference", holds: /^reference\// },
  { text: "Services", holds: /^(?:cmd|services)\// },
  { text: "Operators", holds: /^operators\// },
  { text: "Libraries", holds: /^libraries\// },
  { text: "Simulators", holds: /^simulators\// },
  { text: "Clients", holds: /^(?:clients|api)\// },
  { text: "Tests and figures", holds: /^(?:tests|bench)\// },
  { text: "Decisions", holds: /^design\// },
];

function sidebar(pages: readonly Page[]): readonly object[] {
  return groups.map(({ text, holds }, at) => ({
    text,
    collapsed: at > 1,
    items: pages
      .filter(({ path }) => holds.test(path))
      .map(({ path, title }) => ({ text: title.replaceAll("`", ""), link: pageUrl(path) })),
  }));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
