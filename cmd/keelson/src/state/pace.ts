import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliErrors } from "../output/cli-errors.ts";
import { writeFileAtomically } from "./atomic-file.ts";
import { readStateFile } from "./state-file.ts";

/**
 * Duration of operations in the simulated world. `fast`: as short as possible. `recorded`: durations that were measured in Azure,
 * multiplied by `factor`.
 */
export type Pace = { readonly kind: "fast" } | { readonly kind: "recorded"; readonly factor: number };

const fastPace: Pace = { kind: "fast" };

const leastFactor = 0.001;
const form = /^recorded(?::(\d+(?:\.\d+)?))?$/;

/** Parses `fast`, `recorded` or `recorded:FACTOR`. Returns undefined for other strings. */
export function parsePace(text: string): Pace | undefined {
  if (text === "fast") return fastPace;
  const match = form.exec(text);
  if (!match) return undefined;
  const factor = Number(match[1] ?? 1);
  return factor >= leastFactor && factor <= 1 ? { kind: "recorded", factor } : undefined;
}

/** Formats a pace for `parsePace`. */
export function paceText(pace: Pace): string {
  return pace.kind === "fast" ? "fast" : `recorded:${pace.factor}`;
}

/** Returns and stores the pace of a state directory. Default: the pace of the last start. */
export function choosePace(directory: string, asked: Pace | undefined): Pace {
  if (asked === undefined) return rememberedPace(directory);
  writeFileAtomically(pathIn(directory), `${JSON.stringify({ pace: paceText(asked) })}\n`, 0o644);
  return asked;
}

/** Returns the pace of the last start. Default: fast. @throws StateUnreadable */
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
