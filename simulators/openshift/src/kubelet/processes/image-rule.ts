import { isPlainObject } from "@keelson/base";
import { errors } from "../../base/errors.ts";
import type { Program } from "../containers/program.ts";

/** Container behavior that a user configures for images. */
export interface ImageRule {
  /** Prefix of the image reference. It must end at `/`, `:`, `@` or the end of the reference. */
  readonly prefix: string;
  /** Name or infrastructure ID of a cluster. Default: all clusters. */
  readonly cluster?: string;
  readonly exitCode: number;
  /** Milliseconds until the container terminates. */
  readonly afterMs: number;
  /** Log output of the container. */
  readonly log?: string;
}

const fields: ReadonlySet<string> = new Set(["prefix", "cluster", "exitCode", "afterMs", "log"]);
const maxLogLength = 65_536;
const maxAfterMs = 30 * 24 * 3_600_000;

/** Parses `{ prefix, cluster?, exitCode?, afterMs?, log? }`. @throws InvalidImageRule with the invalid field */
export function parseImageRule(value: unknown): ImageRule {
  if (!isPlainObject(value)) throw errors.InvalidImageRule("an image rule is a JSON object");
  for (const field of Object.keys(value))
    if (!fields.has(field)) throw errors.InvalidImageRule(`unknown field ${JSON.stringify(field)}`);
  const { prefix, cluster, exitCode = 0, afterMs = 1_000, log } = value;
  if (typeof prefix !== "string" || prefix === "" || /\s/.test(prefix))
    throw errors.InvalidImageRule("prefix must be the beginning of an image reference");
  if (cluster !== undefined && (typeof cluster !== "string" || cluster === ""))
    throw errors.InvalidImageRule("cluster must be a name");
  if (typeof exitCode !== "number" || !Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255)
    throw errors.InvalidImageRule("exitCode must be a whole number from 0 to 255");
  if (typeof afterMs !== "number" || !(afterMs >= 0 && afterMs <= maxAfterMs))
    throw errors.InvalidImageRule("afterMs must be a number of milliseconds up to 30 days");
  if (log !== undefined && (typeof log !== "string" || log.length > maxLogLength))
    throw errors.InvalidImageRule(`log must be a string of at most ${maxLogLength} characters`);
  return {
    prefix,
    ...(cluster === undefined ? {} : { cluster }),
    exitCode,
    afterMs,
    ...(log === undefined ? {} : { log }),
  };
}

/** Returns the program of the image's containers. */
export function ruledProgram({ afterMs, exitCode, log }: ImageRule): Program {
  return async ({ stdout, clock, signal }) => {
    if (log) await stdout(log.endsWith("\n") ? log : `${log}\n`);
    await clock.sleep(afterMs, signal);
    return exitCode;
  };
}
