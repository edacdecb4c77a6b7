import { sep } from "node:path";

/** True if a path, relative to the repository's root, is part of a clean checkout. */
export function isSource(path: string): boolean {
  return !path.split(sep).some((part) => /^(?:node_modules|\.git|\.tools|\.keelson|dist|\.venv)$/.test(part));
}
