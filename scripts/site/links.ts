import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { anchorsOf, prose } from "./headings.ts";
import { type Page, pageUrl } from "./pages.ts";

export interface LinkedPage {
  readonly text: string;
  /** Linked files and directories in the repository that have no page on the site yet. */
  readonly files: readonly string[];
  /** Dead links in the form `PAGE: LINK`. */
  readonly dead: readonly string[];
}

/** Matches code or a link. Code contains no links. The link text may contain brackets. */
const codeOrLink = /(`+)[^`][\s\S]*?\1(?!`)|(\]\()([^()\s]+)((?:\s+"[^"]*")?\))/g;

/** Directories that a page at a different path documents. */
const shownElsewhere: Readonly<Record<string, string>> = { swagger: "/reference/" };

/** Directory of the images. The site serves them at the same path. */
export const imagesDirectory = "docs/images";

function isImage(path: string): boolean {
  return path.startsWith(`${imagesDirectory}/`);
}

/** Returns the page path for a file or directory that is not a document. */
export function filePage(path: string): string {
  return `files/${path}.md`;
}

/** Replaces links between repository files with links between pages. */
export function linkPage(page: Page, pages: readonly Page[], root: string): LinkedPage {
  const files = new Set<string>();
  const dead: string[] = [];
  const from = page.source ?? page.path;
  const bySource = new Map(pages.map((each) => [each.source ?? each.path, each]));

  const resolve = (link: string): string => {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(link)) return link;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? from : normalize(join(dirname(from), path)).replace(/\/$/, "");
    const linked = bySource.get(target) ?? bySource.get(join(target, "README.md"));
    const elsewhere = shownElsewhere[target];
    if (linked && (anchor === undefined || anchorsOf(linked.text).has(anchor)))
      return `${path === "" ? "" : pageUrl(linked.path)}${anchor === undefined ? "" : `#${anchor}`}`;
    if (!linked && elsewhere !== undefined) return elsewhere;
    if (linked || target.startsWith("..") || !existsSync(join(root, target))) {
      dead.push(`${from}: ${link}`);
      return link;
    }
    if (isImage(target)) return `/${target}`;
    files.add(target);
    return pageUrl(filePage(target));
  };

  const parts: string[] = [];
  let copied = 0;
  for (const { part, at } of prose(page.text)) {
    const linked = part.replace(codeOrLink, (all, _ticks, open, link, close) =>
      open === undefined ? all : `${open}${resolve(link)}${close}`,
    );
    parts.push(page.text.slice(copied, at), linked);
    copied = at + part.length;
  }
  parts.push(page.text.slice(copied));
  return { text: parts.join(""), files: [...files], dead };
}
