import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A page of the site. */
export interface Page {
  /** Path of its Markdown below the site's sources: `docs/deploy.md`, `services/portal/index.md`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** The file of the repository that it is, if it is one. */
  readonly source?: string;
}

const documents = [
  "{README,CONTRIBUTING,SECURITY,CHANGELOG}.md",
  "docs/**/*.md",
  "design/*.md",
  "{api,bench,tests,cmd,services,operators,libraries,simulators,clients,deploy}/**/*.md",
];

/** The documents of the repository below `root` that are pages. */
export function documentPages(root: string): readonly Page[] {
  return globSync(documents, { cwd: root, exclude: ["**/node_modules", "**/dist"] })
    .sort()
    .map((source) => {
      const text = withoutComments(readFileSync(join(root, source), "utf8"));
      return { source, path: pagePath(source), title: /^# (.+)$/m.exec(text)?.[1] ?? source, text };
    });
}

/** Removes lines that are HTML comments, which the site would show as text. */
function withoutComments(text: string): string {
  return text.replace(/^<!--.*-->\n\n?/gm, "");
}

/** A directory's README is its index page. */
function pagePath(source: string): string {
  return source.endsWith("README.md") ? join(dirname(source), "index.md") : source;
}

/** The path of a page as links have it, from the site's root. */
export function pageUrl(path: string): string {
  return `/${path.replace(/(?:^|(?<=\/))index\.md$/, "").replace(/\.md$/, ".html")}`;
}
