import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliErrors } from "../output/cli-errors.ts";
import { writeFileAtomically } from "./atomic-file.ts";
import { readStateFile } from "./state-file.ts";

/** Durations in the simulated world: short, or those recorded with Azure, multiplied by a factor. */
export type Pace = { readonly kind: "fast" } | { readonly kind: "recorded"; readonly factor: number };

export const fastPace: Pace = { kind: "fast" };

const leastFactor = 0.001;
const form = /^recorded(?::(\d+(?:\.\d+)?))?$/;

/** Parses `fast`, `recorded` or `recorded:FACTOR`. Returns undefined for any other text. */
export function parsePace(text: string): Pace | undefined {
  if (text === "fast") return fastPace;
  const match = form.exec(text);
  if (!match) return undefined;
  const factor = Number(match[1] ?? 1);
  return factor >= leastFactor && factor <= 1 ? { kind: "recorded", factor } : undefined;
}

/** The text that `parsePace` parses. */
export function paceText(pace: Pace): string {
  return pace.kind === "fast" ? "fast" : `recorded:${pace.factor}`;
}

/** Pace of a state directory: `asked`, otherwise that of the last start. The next start without a pace has the same. */
export function choosePace(directory: string, asked: Pace | undefined): Pace {
  if (asked === undefined) return rememberedPace(directory);
  writeFileAtomically(pathIn(directory), `${JSON.stringify({ pace: paceText(asked) })}\n`, 0o644);
  return asked;
}

/** Pace of the last start. Default: fast. @throws StateUnreadable */
export function rememberedPace(directory: string): Pace {
  const path = pathIn(directory);
  if (!existsSync(path)) return fastPace;
  const remedy = "remove it to start at the default pace";
  const { pace } = readStateFile<{ pace: unknown }>(path, ["pace"], remedy);
  const parsed = typeof pace === "string" ? parsePace(pace) : undefined;
  if (parsed) return parsed;
  throw cliErrors.StateUnreadable(`${path} cannot be used (it names no pace): ${remedy}`);
}

function pathIn(directory: string): string {
  return join(directory, "pace.json");
}
