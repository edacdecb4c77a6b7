/** Draws the packages of `docs/architecture.md` from the rows with which `make lint` checks imports. */
import { rows, simulators } from "../package-rows.ts";

export const pictureFile = "docs/architecture.md";
const opening = "<!-- from scripts/package-rows.ts, by make generate -->\n```\n";
const closing = "```\n";

/** The document with its picture drawn again. Fails where it has no place for one. */
export function withArchitecturePicture(document: string): string {
  const start = document.indexOf(opening);
  if (start < 0) throw new Error(`${pictureFile} has no line ${JSON.stringify(opening)}`);
  const end = document.indexOf(closing, start + opening.length);
  return document.slice(0, start) + opening + architecturePicture() + document.slice(end);
}

/** Draws a line per package, and a block per group of packages on the same rows. */
function architecturePicture(): string {
  const runs = rows.flatMap((row) => Object.entries(row).map(([folder, holds]) => line(folder, holds)));
  const standIns = Object.entries(simulators).map(
    ([folder, { holds, imports }]) =>
      `${line(folder, holds)}\n${" ".repeat(26)}imports ${imports.map(nameOf).join(", ")}`,
  );
  return `${runs.join("\n")}\n\nimported by cmd and tests only:\n${standIns.join("\n")}\n`;
}

function line(folder: string, holds: string): string {
  return `${folder.padEnd(25)} ${holds}`;
}

function nameOf(folder: string): string {
  return folder.startsWith("simulators/") ? folder : (folder.split("/")[1] ?? folder);
}
