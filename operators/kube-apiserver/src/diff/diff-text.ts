import { cutText } from "@keelson/base";
import { originText } from "./change-origin.ts";
import type { RevisionDiff, ValueChange } from "./revision-diff.ts";

const maxValue = 300;

/** Formats a diff for people. Each value has one line with its origin. */
export function diffText({ latest, changes, errors }: RevisionDiff): string {
  const problems = errors.map((error) => `! ${error}\n`).join("");
  if (changes.length === 0) return `${problems}no revision follows revision ${latest}\n`;
  const blocks = changes.map(
    ({ kind, name, values }) => `${kind} ${name}\n${values.map((value) => lines(kind, value)).join("")}`,
  );
  return `${problems}revision ${latest + 1} follows revision ${latest}\n\n${blocks.join("\n")}`;
}

function lines(kind: string, { path, before, after, origin }: ValueChange): string {
  const why = `    because of ${originText(origin)}\n`;
  if (kind === "Secret") return `  ~ ${path}\n${why}`;
  const line = (sign: string, value: unknown) =>
    value === undefined ? "" : `  ${sign} ${path}: ${cutText(JSON.stringify(value), maxValue)}\n`;
  return `${line("-", before)}${line("+", after)}${why}`;
}
