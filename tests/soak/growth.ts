import { writeAheadLog } from "./measure.ts";
import type { MeasureRow, ProcessMeasures, Segment } from "./soak-row.ts";

/** A measure that must not grow between its base and its end. */
interface Rule {
  readonly name: string;
  /** Relative part of the allowed growth, and its absolute minimum. */
  readonly share: number;
  readonly least: number;
}

/**
 * Live heap: in 8 measurements within 11 minutes that of azure, operators and service varied by 1 to 4 %. That of clusters varied by
 * 12 % (168 to 190 MiB) without a wait for the removal of the last cluster. Medians and that wait (`--settle`) reduce both. Memory
 * shares also vary by fragmentation. Counts vary by connections that remain open for a minute or two.
 */
const processRules: Readonly<Record<"liveMib" | "pssMib" | "files" | "resources", Rule>> = {
  liveMib: { name: "live MiB", share: 0.03, least: 2 },
  pssMib: { name: "Pss MiB", share: 0.1, least: 10 },
  files: { name: "files", share: 0, least: 10 },
  resources: { name: "resources", share: 0, least: 20 },
};
/** Files grow by pages and by the log of the last minutes. */
const storageRule: Rule = { name: "MiB", share: 0.05, least: 8 };
/** Two segments. */
const logRule: Rule = { name: "MiB", share: 0, least: 32 };
/** Number of measures of which the median is a base or an end. */
const medianOf = 3;

/** Growth of one measure within a segment or over all segments. */
export interface Growth {
  /** Number of the segment, from 1, or "all". */
  readonly segment: string;
  readonly subject: string;
  readonly measure: string;
  readonly base: number;
  readonly end: number;
  readonly allowed: number;
  readonly isExceeded: boolean;
}

/**
 * Compares the end of each segment and of all with the time after the warm-up, in hours. A segment without enough measures behind
 * its warm-up has no entry. Over all segments the base is the first segment that is long enough.
 */
export function growthOf(segments: readonly Segment[], warmUpHours: number): readonly Growth[] {
  const warm = segments.map(({ measures }) => afterWarmUp(measures, warmUpHours));
  const judged = warm.flatMap((rows, at) =>
    rows.length < 2 * medianOf ? [] : compare(`${at + 1}`, rows.slice(0, medianOf), rows.slice(-medianOf)),
  );
  const long = warm.filter((rows) => rows.length >= medianOf);
  const [first, last] = [long[0], long.at(-1)];
  if (first === undefined || last === undefined || first === last) return judged;
  return [...judged, ...compare("all", first.slice(0, medianOf), last.slice(-medianOf))];
}

function afterWarmUp(measures: readonly MeasureRow[], hours: number): readonly MeasureRow[] {
  let seconds = 0;
  return measures.filter((row) => {
    seconds += row.seconds;
    return seconds >= hours * 3_600;
  });
}

function compare(
  segment: string,
  base: readonly MeasureRow[],
  end: readonly MeasureRow[],
): readonly Growth[] {
  const entry = (subject: string, rule: Rule, value: (row: MeasureRow) => number | undefined): Growth => {
    const [from, to] = [base, end].map((rows) => median(rows.flatMap((row) => value(row) ?? [])));
    const [first = Number.NaN, last = Number.NaN] = [from, to];
    const allowed = Math.max(first * rule.share, rule.least);
    const isExceeded = !(last - first <= allowed);
    return { segment, subject, measure: rule.name, base: first, end: last, allowed, isExceeded };
  };
  const roles = [...new Set([...base, ...end].flatMap(({ processes }) => processes.map(({ role }) => role)))];
  // Log files are append-only.
  const stores = [...new Set([...base, ...end].flatMap(({ bytes }) => Object.keys(bytes)))].filter(
    (name) => !name.endsWith(".log"),
  );
  return [
    ...roles.flatMap((role) =>
      Object.entries(processRules).map(([field, rule]) =>
        entry(role, rule, ({ processes }) => processValue(processes, role, field)),
      ),
    ),
    ...stores.map((store) =>
      entry(store, store === writeAheadLog ? logRule : storageRule, ({ bytes }) => {
        const size = bytes[store];
        return size === undefined ? undefined : size / 2 ** 20;
      }),
    ),
  ];
}

function processValue(
  processes: readonly ProcessMeasures[],
  role: string,
  field: string,
): number | undefined {
  const found = processes.find((each) => each.role === role);
  return found && Number(Object(found)[field]);
}

/** NaN for an empty list. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Processes that were replaced within a segment, and requests that failed. */
export function problemsOf(segments: readonly Segment[]): readonly string[] {
  return segments.flatMap(({ measures }, at) => {
    const pids = new Map<string, number>();
    return measures.flatMap(({ processes, failures }) => [
      ...failures.map((failure) => `segment ${at + 1}: ${failure}`),
      ...processes.flatMap(({ role, pid }) => {
        const before = pids.get(role) ?? pid;
        pids.set(role, pid);
        return before === pid ? [] : [`segment ${at + 1}: ${role} restarted: process ${before}, then ${pid}`];
      }),
    ]);
  });
}
