/** Draws the package picture in `docs/architecture.md`. The source is the table that `make lint` uses to check imports. */
import { rows, simulators } from "../package-rows.ts";

export const pictureFile = "docs/architecture.md";
const opening = "<!-- from scripts/package-rows.ts, by make generate -->\n```\n";
const closing = "```\n";

/**
 * Returns the document with an updated picture.
 * @throws Error if the document has no marker for the picture
 */
export function withArchitecturePicture(document: string): string {
  const start = document.indexOf(opening);
  if (start < 0) throw new Error(`${pictureFile} has no line ${JSON.stringify(opening)}`);
  const end = document.indexOf(closing, start + opening.length);
  return document.slice(0, start) + opening + architecturePicture() + document.slice(end);
}

/** Returns the picture. It has one line per production package, followed by the simulators with the packages that they import. */
function architecturePicture(): string {
  const runs = rows.flatMap((row) => Object.entries(row).map(([directory, holds]) => line(directory, holds)));
  const standIns = Object.entries(simulators).map(
    ([directory, { holds, imports }]) =>
      `${line(directory, holds)}\n${" ".repeat(26)}imports ${imports.map(nameOf).join(", ")}`,
  );
  return `${runs.join("\n")}\n\nimported by cmd and tests only:\n${standIns.join("\n")}\n`;
}

function line(directory: string, holds: string): string {
  return `${directory.padEnd(25)} ${holds}`;
}

function nameOf(directory: string): string {
  return directory.startsWith("simulators/") ? directory : (directory.split("/")[1] ?? directory);
}
