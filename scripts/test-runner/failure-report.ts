import { inspect } from "node:util";
import type { TestFailure } from "./results.ts";

/** Formats a failure: its titles, its location, the command that runs only the failed test, and its error. */
export function formatFailure(failure: TestFailure): string {
  return `FAIL ${failure.titles.join(" > ")}\n  at ${failure.place}\n  run it alone: ${commandOf(failure)}\n${inspect(failure.error)}\n`;
}

/** Returns the shell command that runs only the failed test, from the checkout's root. */
export function commandOf({ files, selector }: TestFailure): string {
  const name = selector === undefined ? "" : ` --name ${quoted(selector)}`;
  return `$(scripts/node.sh) scripts/run-tests.ts ${files.join(" ")}${name}`;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
