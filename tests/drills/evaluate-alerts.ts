import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import type { Recording } from "./scrape-recorder.ts";

const run = promisify(execFile);
/** Directory in which `scripts/install-clients.sh` installs promtool. */
const clients = new URL("../../.tools/clients/bookworm/usr/bin", import.meta.url).pathname;
const monitoring = new URL("../../deploy/monitoring/", import.meta.url).pathname;
const ruleFiles = ["rules.yaml", "service-rules.yaml"].map((name) => join(monitoring, name));

/** Interval of the documented scrape configuration in seconds. In the evaluation, each recorded scrape counts as one interval. */
export const scrapeSeconds = 15;

/**
 * Metrics with the time of the process's last update in seconds since 1970. In the evaluation, the age of this time grows by one
 * interval per scrape.
 */
const updatedTimes = /^gateway_last_change_feed_seconds\{/;
/** Metrics that the process updates only once a minute. */
const minutely = /^monitor_heartbeat\{/;
/** Maximum number of consecutive recorded scrapes without a value that are filled with the previous value. */
const heldScrapes = 56;
/**
 * Metrics with a time in seconds since 1970 that is fixed, for example a certificate's expiry. The evaluation stretches the
 * intervals between scrapes, but not the difference between a fixed time and the time of the scrape.
 */
const fixedTimes = /^(?:service_certificate_expiry_seconds|mirror_last_success_seconds)\{/;

/** Firing alert. The time is measured from the first scrape to the first evaluation in which the alert fires. */
export interface Fired {
  readonly alert: string;
  readonly afterSeconds: number;
  /** Labels of the alert in the first evaluation in which it fires, for example `code="503", resourceName="demo"`. */
  readonly labels: string;
}

export interface Evaluation {
  /** Alerts that fired, in the order of their times. */
  readonly fired: readonly Fired[];
  /** Names and labels of alerts that were pending or firing in the last evaluation. */
  readonly active: readonly string[];
}

/** Returns the names of all metrics in the shipped rules, without those of Prometheus itself. */
export async function metricsOfRules(): Promise<ReadonlySet<string>> {
  const texts = await Promise.all(ruleFiles.map((file) => readFile(file, "utf8")));
  const expressions = texts.flatMap((text) => text.match(/^ +expr: .*$/gm) ?? []);
  return new Set(expressions.flatMap((each) => each.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []));
}

/**
 * Evaluates the shipped alert rules with promtool for a recording. A recorded scrape lasts about a second, but the evaluation
 * counts it as one interval of the documented scrape configuration. The waiting times of alerts therefore pass faster. Per
 * interval, recorded counters rise less than in production. In production, an alert on an increase therefore fires at least as
 * soon as here.
 * @throws Error if promtool is missing, or its output has an unknown form
 */
export async function evaluateAlerts(recording: Recording): Promise<Evaluation> {
  const directory = await mkdtemp(join(tmpdir(), "keelson-drill-"));
  try {
    const file = join(directory, "drill.json");
    await writeFile(file, JSON.stringify(testFile(recording)));
    return evaluationOf(await promtool(file), recording.scrapes);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns a test file that expects no alert. The differences that promtool reports are the pending and firing alerts. */
function testFile({ startSeconds, scrapes, series }: Recording): object {
  return {
    rule_files: ruleFiles,
    evaluation_interval: `${scrapeSeconds}s`,
    tests: [
      {
        interval: `${scrapeSeconds}s`,
        input_series: [...series].map(([name, values]) => ({
          series: name,
          values: notation(held(name, shifted(name, values, startSeconds), scrapes), scrapes),
        })),
        promql_expr_test: Array.from({ length: scrapes }, (_, at) => ({
          expr: "ALERTS",
          eval_time: `${at * scrapeSeconds}s`,
          exp_samples: [],
        })),
      },
    ],
  };
}

/** Makes times relative to the first scrape, which has the time 0 in promtool. */
function shifted(
  name: string,
  values: Recording["series"] extends ReadonlyMap<string, infer V> ? V : never,
  startSeconds: number,
) {
  const factor = updatedTimes.test(name) ? scrapeSeconds : 1;
  if (factor === 1 && !fixedTimes.test(name)) return values;
  return values.map((value) =>
    value === undefined ? undefined : `${(Number(value) - startSeconds) * factor}`,
  );
}

/**
 * Repeats the previous value of metrics that are updated only once a minute. In promtool, a minute of the recording counts as 15
 * minutes, so the values would otherwise be too old.
 */
function held(
  name: string,
  values: readonly (string | undefined)[],
  scrapes: number,
): readonly (string | undefined)[] {
  if (!minutely.test(name)) return values;
  let last: string | undefined;
  let missing = 0;
  return Array.from({ length: scrapes }, (_, at) => {
    missing = values[at] === undefined ? missing + 1 : 0;
    last = values[at] ?? last;
    return missing <= heldScrapes ? last : undefined;
  });
}

/** Returns values in promtool notation. The first missing value is a staleness marker, as after a failed scrape. */
function notation(values: readonly (string | undefined)[], scrapes: number): string {
  return Array.from({ length: scrapes }, (_, at) => {
    const value = values[at];
    if (value !== undefined) return decimal(value);
    return at > 0 && values[at - 1] !== undefined ? "stale" : "_";
  }).join(" ");
}

function decimal(value: string): string {
  const number = Number(value.replace("+Inf", "Infinity").replace("-Inf", "-Infinity"));
  return Number.isFinite(number) ? `${number}` : "_";
}

async function promtool(file: string): Promise<string> {
  try {
    const { stdout } = await run("promtool", ["test", "rules", file], {
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, PATH: `${clients}:${process.env.PATH}` },
    });
    return stdout;
  } catch (error) {
    const { code, stdout, stderr } = Object(error);
    if (code === "ENOENT")
      throw new Error(
        "promtool not found. Install Debian's package prometheus, or run scripts/install-clients.sh.",
      );
    if (!/FAILED:/.test(`${stdout}${stderr}`)) throw error;
    return `${stdout}${stderr}`;
  }
}

const difference = /time: (\w+),\s+exp: ?(?:nil|\[\])?\s+got: ?(.*)/g;
/** Series of `ALERTS` in the output of promtool, which sorts the labels. */
const alertSeries = /\{__name__="ALERTS", alertname="(\w+)", alertstate="(\w+)"((?:, \w+="[^"]*")*)\}/g;

function evaluationOf(output: string, scrapes: number): Evaluation {
  const fired = new Map<string, Fired>();
  const active: string[] = [];
  let isKnown = false;
  for (const [, time = "", got = ""] of output.matchAll(difference)) {
    const afterSeconds = secondsOf(time);
    for (const [, alert = "", state = "", others = ""] of got.matchAll(alertSeries)) {
      isKnown = true;
      const labels = others.replace(/^, /, "");
      const before = fired.get(alert);
      if (state === "firing" && (before === undefined || afterSeconds < before.afterSeconds))
        fired.set(alert, { alert, afterSeconds, labels });
      if (afterSeconds === (scrapes - 1) * scrapeSeconds) active.push(`${alert} (${state}, ${labels})`);
    }
  }
  const isUnknown = /FAILED:/.test(output) && !isKnown;
  if (isUnknown || scrapes === 0)
    throw new Error(`unknown output of promtool for ${scrapes} scrapes:\n${output.slice(0, 2_000)}`);
  return {
    fired: [...fired.values()].sort(
      (a, b) => a.afterSeconds - b.afterSeconds || a.alert.localeCompare(b.alert),
    ),
    active,
  };
}

/** Parses a duration of Prometheus, for example `1m30s`. */
function secondsOf(duration: string): number {
  const units: Readonly<Record<string, number>> = { h: 3_600, m: 60, s: 1 };
  return [...duration.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}
