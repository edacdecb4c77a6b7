import { sep } from "node:path";

/** Whether a path of the repository, relative to its root, is in a clean checkout. */
export function isSource(path: string): boolean {
  return !path.split(sep).some((part) => /^(?:node_modules|\.git|\.tools|\.keelson|dist|\.venv)$/.test(part));
}
