import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A page of the site. */
export interface Page {
  /** Path of the Markdown file in the site's source directory, for example `docs/deploy.md` or `services/portal/index.md`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** Source file in the repository. Undefined for generated pages. */
  readonly source?: string;
}

const documents = [
  "{README,CONTRIBUTING,SECURITY,CHANGELOG}.md",
  "docs/**/*.md",
  "design/*.md",
  "{api,bench,tests,cmd,services,operators,libraries,simulators,clients,deploy}/**/*.md",
];

/** Returns a page for each document of the repository at `root`. */
export function documentPages(root: string): readonly Page[] {
  return globSync(documents, { cwd: root, exclude: ["**/node_modules", "**/dist"] })
    .sort()
    .map((source) => {
      const text = withoutComments(readFileSync(join(root, source), "utf8"));
      return { source, path: pagePath(source), title: /^# (.+)$/m.exec(text)?.[1] ?? source, text };
    });
}

/** Removes lines with HTML comments, because the site would show them as text. */
function withoutComments(text: string): string {
  return text.replace(/^<!--.*-->\n\n?/gm, "");
}

/** Returns the page path of a document. A directory's README becomes its index page. */
function pagePath(source: string): string {
  return source.endsWith("README.md") ? join(dirname(source), "index.md") : source;
}

/** Returns the URL path of a page from the site's root. */
export function pageUrl(path: string): string {
  return `/${path.replace(/(?:^|(?<=\/))index\.md$/, "").replace(/\.md$/, ".html")}`;
}
