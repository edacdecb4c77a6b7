import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname } from "node:path";

const root = new URL("..", import.meta.url).pathname;

/** Time and commit at which a row was written. */
export interface RowOrigin {
  readonly at: string;
  readonly commit: string;
}

/** File with one JSON object per line. A long run appends its results, so that a later call can resume. */
export class RowFile<Row extends object> {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  rows(): readonly (Row & RowOrigin)[] {
    return this.#complete()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  append(row: Row): void {
    const origin: RowOrigin = { at: new Date().toISOString(), commit: currentCommit() };
    mkdirSync(dirname(this.path), { recursive: true });
    if (existsSync(this.path)) truncateSync(this.path, Buffer.byteLength(this.#complete()));
    appendFileSync(this.path, `${JSON.stringify({ ...origin, ...row })}\n`);
  }

  /** Returns the text without the incomplete last line that an interrupted write can leave. */
  #complete(): string {
    if (!existsSync(this.path)) return "";
    const text = readFileSync(this.path, "utf8");
    return text.slice(0, text.lastIndexOf("\n") + 1);
  }
}

function currentCommit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
}
