import { sep } from "node:path";

/** True if a path is part of a clean checkout. The path is relative to the repository root. */
export function isSource(path: string): boolean {
  return !path.split(sep).some((part) => /^(?:node_modules|\.git|\.tools|\.keelson|dist|\.venv)$/.test(part));
}
