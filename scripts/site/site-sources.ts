import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileAsPage } from "./file-pages.ts";
import { linkPage } from "./links.ts";
import { documentPages, type Page, pageUrl } from "./pages.ts";
import { referencePages } from "./reference-pages.ts";

export interface SiteSources {
  readonly pages: readonly Page[];
  /** Dead links in the form `FILE: LINK`. */
  readonly dead: readonly string[];
}

/** Returns all pages of the site with links between them. */
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

/** Writes the pages and the VitePress configuration to `folder`. Deletes all other contents of `folder`. */
export function writeSources(pages: readonly Page[], directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  for (const { path, text } of pages) write(join(directory, path), text);
  const settings = { nav: navigation, sidebar: sidebar(pages) };
  write(join(directory, ".vitepress/settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
}

const navigation = [
  { text: "Start", link: "/" },
  { text: "Architecture", link: "/docs/architecture.html" },
  { text: "API reference", link: "/reference/" },
  { text: "Changes", link: "/CHANGELOG.html" },
];

function pagesOf(names: string): RegExp {
  return new RegExp(`^docs/(?:${names.replaceAll(" ", "|")})\\.md$`);
}

/** Sidebar groups. They match the groups in docs/README.md. */
export const sidebarGroups: readonly { readonly text: string; readonly holds: RegExp }[] = [
  { text: "Keelson", holds: /^(?:index|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/ },
  { text: "Get started", holds: /^docs\/(?:index|get-started)\.md$/ },
  {
    text: "Use it",
    holds: pagesOf(
      "arm-api dev-image azure-clients managed-identities simulated-world portal portal-tasks commands customer-health",
    ),
  },
  {
    text: "Operate it",
    holds: pagesOf(
      "deploy kubernetes configuration database rotation retention observability runbooks admin-actions maintenance gateway mirror installers",
    ),
  },
  { text: "Extend it", holds: /^docs\/(?:architecture\.md|language\.md|howto\/.+)$/ },
  {
    text: "Reference",
    holds: pagesOf("limits time-limits apiserver-compatibility glossary dependencies performance releases"),
  },
  { text: "API reference", holds: /^reference\// },
  { text: "Services", holds: /^(?:cmd|services)\// },
  { text: "Operators", holds: /^operators\// },
  { text: "Libraries", holds: /^libraries\// },
  { text: "Simulators", holds: /^simulators\// },
  { text: "Deployment files", holds: /^deploy\// },
  { text: "Clients", holds: /^(?:clients|api)\// },
  { text: "Tests and benchmarks", holds: /^(?:tests|bench)\// },
  { text: "Decisions", holds: /^design\// },
];

function sidebar(pages: readonly Page[]): readonly object[] {
  return sidebarGroups.map(({ text, holds }, at) => ({
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
