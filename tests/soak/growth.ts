import { writeAheadLog } from "./measure.ts";
import type { MeasureRow, ProcessMeasures, Segment } from "./soak-row.ts";

/** Maximum allowed growth of a measurement between the start and the end of a period. */
interface Rule {
  readonly name: string;
  /** Allowed growth as a fraction. Growth up to the absolute value `least` is always allowed. */
  readonly share: number;
  readonly least: number;
}

/**
 * Limits per process, derived from 8 measurements within 11 minutes. The live heap of the processes azure, operators and service
 * varied by 1 to 4 %. The live heap of the process `clusters` varied by 12 % (168 to 190 MiB) because the last test cluster was not always removed
 * before the measurement. Medians and the waiting time (`--settle`) reduce the variation. Pss also varies because of heap
 * fragmentation. The numbers of files and resources vary because connections stay open for one or two minutes.
 */
const processRules: Readonly<Record<"liveMib" | "pssMib" | "files" | "resources", Rule>> = {
  liveMib: { name: "live MiB", share: 0.03, least: 2 },
  pssMib: { name: "Pss MiB", share: 0.1, least: 10 },
  files: { name: "files", share: 0, least: 10 },
  resources: { name: "resources", share: 0, least: 20 },
};
/** Limit for the files in the state directory. Database files grow by complete pages, and logs contain recent entries. */
const storageRule: Rule = { name: "MiB", share: 0.05, least: 8 };
/** Limit for PostgreSQL's write-ahead log: two segments of 16 MiB. */
const logRule: Rule = { name: "MiB", share: 0, least: 32 };
/** Number of measurements in each median. The values at the start and at the end of a period are medians. */
const medianOf = 3;

/** Growth of one measurement within a segment or over all segments. */
export interface Growth {
  /** Segment number starting at 1, or "all". */
  readonly segment: string;
  readonly subject: string;
  readonly measure: string;
  readonly base: number;
  readonly end: number;
  readonly allowed: number;
  readonly isExceeded: boolean;
}

/**
 * Returns the growth of each segment and of the complete run. Ignores the first `warmUpHours` hours of each segment. Segments
 * with too few measurements have no entry. For the complete run, the start value comes from the first segment that is long
 * enough.
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
  // Excludes log files because they only grow.
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

/** Returns the median. NaN for an empty list. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Returns messages about processes that were restarted within a segment, and about failed requests. */
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
