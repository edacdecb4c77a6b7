import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { filePage } from "./links.ts";
import type { Page } from "./pages.ts";

/** Returns a page with the content of a file or the entries of a directory. Documents link to these pages. */
export function fileAsPage(root: string, path: string): Page {
  const isDirectory = statSync(join(root, path)).isDirectory();
  const content = isDirectory
    ? readdirSync(join(root, path), { withFileTypes: true })
        .filter(({ name }) => name !== "node_modules")
        .map((entry) => `- \`${entry.name}${entry.isDirectory() ? "/" : ""}\``)
        .sort()
        .join("\n")
    : fenced(readFileSync(join(root, path), "utf8"), extname(path).slice(1));
  return { path: filePage(path), title: path, text: `---\nsearch: false\n---\n\n# ${path}\n\n${content}\n` };
}

const languages = new Set(["json", "md", "sh", "sql", "ts", "yaml"]);

function fenced(content: string, extension: string): string {
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${languages.has(extension) ? extension : "text"}\n${content}\n${fence}`;
}
