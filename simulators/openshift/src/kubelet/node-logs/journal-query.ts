import { RE2JS } from "re2js";

/** Output formats of journalctl. */
const journalFormats = [
  "cat",
  "json",
  "short",
  "short-iso",
  "short-iso-precise",
  "short-precise",
  "short-unix",
] as const;
export type JournalFormat = (typeof journalFormats)[number];

/** Query of a node's journal. */
export interface JournalQuery {
  /** Names of units without `.service`. If empty, the query includes all units. */
  readonly units: readonly string[];
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** Maximum number of lines from the end. */
  readonly tail: number | undefined;
  /** Boot offset. 0 is the current boot, -1 the previous one. */
  readonly boot: number;
  readonly pattern: RE2JS | undefined;
  readonly format: JournalFormat;
}

const maxTail = 100_000;
const maxUnits = 4;
const maxPatternLength = 1_000;
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses the parameters of `oc adm node-logs` and of Kubernetes' node log query (`query`, `sinceTime`, `untilTime`, `tailLines`,
 * `pattern`).
 * @throws Error for an invalid value
 */
export function parseJournalQuery(parameters: URLSearchParams, now: Date): JournalQuery {
  const units = [...new Set([...parameters.getAll("query"), ...parameters.getAll("unit")])];
  if (units.length > maxUnits)
    throw invalid("query", String(units.length), `must have at most ${maxUnits} items`);
  const unsafe = units.find((each) => !/^[a-zA-Z0-9@_.-]{1,256}$/.test(each));
  if (unsafe !== undefined) throw invalid("query", unsafe, "input contains unsupported characters");
  const format = parameters.get("output") || "short-precise";
  const known = journalFormats.find((each) => each === format);
  if (!known) {
    const listed = journalFormats.map((each) => JSON.stringify(each)).join(", ");
    throw new Error(`output: Unsupported value: ${JSON.stringify(format)}: supported values: ${listed}`);
  }
  const boot = integer(parameters, "boot") ?? 0;
  if (boot > 0) throw invalid("boot", String(boot), "must be less than 1");
  const tail = integer(parameters, "tailLines", "tail");
  if (tail !== undefined && (tail < 0 || tail > maxTail))
    throw invalid("tailLines", String(tail), `must be between 0 and ${maxTail}, inclusive`);
  return {
    units: units.map((each) => each.replace(/\.service$/, "")),
    since: timeIn(parameters, "sinceTime", "since", now),
    until: timeIn(parameters, "untilTime", "until", now),
    tail,
    boot,
    pattern: patternIn(parameters),
    format: known,
  };
}

function integer(parameters: URLSearchParams, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const text = parameters.get(name);
    if (!text) continue;
    if (!/^-?\d{1,9}$/.test(text)) throw invalid(name, text, "invalid syntax");
    return Number(text);
  }
  return undefined;
}

/**
 * Returns the time in a query parameter. `exact` is the name of the parameter that accepts only RFC 3339. `loose` is the name of
 * the parameter that also accepts relative times such as `-1h`.
 */
function timeIn(parameters: URLSearchParams, exact: string, loose: string, now: Date): Date | undefined {
  const time = parameters.get(exact);
  if (time) {
    if (!/^\d{4}-\d\d-\d\dT/.test(time) || Number.isNaN(Date.parse(time)))
      throw invalid(exact, time, "invalid time format");
    return new Date(time);
  }
  const text = parameters.get(loose);
  if (!text) return undefined;
  const [, sign, amount, unit = ""] = /^([+-]?)(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined)
    return new Date(now.getTime() + (sign === "+" ? 1 : -1) * Number(amount) * (unitMs[unit] ?? 0));
  const [, date, clock = "00:00:00"] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?Z?$/.exec(text) ?? [];
  const parsed = date === undefined ? Number.NaN : Date.parse(`${date}T${clock}Z`);
  if (Number.isNaN(parsed)) {
    throw invalid(
      loose,
      text,
      "date must be a relative time of the form '(+|-)[0-9]+(s|m|h|d)' or a date in 'YYYY-MM-DD HH:MM:SS' form",
    );
  }
  return new Date(parsed);
}

function patternIn(parameters: URLSearchParams): RE2JS | undefined {
  const text = parameters.get("pattern") || parameters.get("grep");
  if (!text) return undefined;
  if (text.length > maxPatternLength)
    throw invalid("pattern", "", `must be no more than ${maxPatternLength} characters`);
  try {
    return RE2JS.compile(text, parameters.get("case-sensitive") === "false" ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    throw invalid("pattern", text, error instanceof Error ? error.message : String(error));
  }
}

function invalid(field: string, value: string, why: string): Error {
  return new Error(`${field}: Invalid value: ${JSON.stringify(value)}: ${why}`);
}
