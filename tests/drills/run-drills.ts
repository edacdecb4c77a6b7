import assert from "node:assert/strict";
import { systemClock } from "@keelson/base";
import { examineInstallation } from "../../cmd/keelson/src/doctor/run-doctor.ts";
import { evaluateAlerts, metricsOfRules, scrapeSeconds } from "./evaluate-alerts.ts";
import { Region } from "./region.ts";
import { type Rehearsal, rehearsals } from "./rehearsals.ts";
import { ScrapeRecorder } from "./scrape-recorder.ts";

/** Result of one drill, printed as a row of a table. */
export interface DrillResult {
  readonly fault: string;
  readonly cause: string;
  /** Names of the alerts that fired: the expected alert and further allowed alerts. Empty if no alert fired. */
  readonly alerts: readonly string[];
  /** Seconds from the fault to the expected alert, counted as 15 s per scrape. Undefined if no alert is expected. */
  readonly afterSeconds?: number;
  /** Report of `keelson doctor` during the fault. */
  readonly doctor: string;
}

export interface DrillOptions {
  /** Names of the drills. Default: all. */
  readonly only?: readonly string[] | undefined;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Real time of one scrape in ms. The evaluation counts it as `scrapeSeconds` seconds. */
const scrapeMs = 1_000;
/** Number of scrapes before each fault. No alert may be pending or firing during these scrapes. */
const quietScrapes = 8;
/** Maximum number of attempts to record scrapes without alerts before a fault. */
const maxQuietAttempts = 30;
/** Number of scrapes after which an expected alert that has not fired fails the drill. */
const maxScrapes = 240;
/** Number of scrapes between two evaluations of the alert rules. */
const stepScrapes = 12;
/** Number of scrapes during a fault for which no alert is expected. They correspond to 15 minutes. */
const silentScrapes = 60;

/**
 * Rehearses the drills of docs/runbooks.md in a region with the same processes as in production.
 * @throws AssertionError if the expected alert does not fire, an unexpected alert fires, or doctor does not report the fault
 */
export async function runDrills({ only, report, signal }: DrillOptions): Promise<readonly DrillResult[]> {
  const chosen = rehearsals.filter(({ fault }) => only?.includes(fault) ?? true);
  await using recorder = new ScrapeRecorder({ everyMs: scrapeMs, metrics: await metricsOfRules() });
  await using region = await Region.start();
  report("the region is running");
  const [first] = region.providers;
  await first?.client.createCluster("drill14");
  assert.equal(await first?.client.terminal("drill14"), "Succeeded");
  await using _ = customersOf(region);
  const results: DrillResult[] = [];
  for (const each of chosen) {
    signal.throwIfAborted();
    const result = await rehearse(each, region, recorder, signal);
    report(rowOf(result));
    results.push(result);
  }
  return results;
}

/** Starts customers that send requests to the region. Disposal stops them. */
function customersOf(region: Region): AsyncDisposable {
  const stop = new AbortController();
  const running = (async () => {
    while (!stop.signal.aborted) {
      const slow = systemClock.sleep(2_000, stop.signal).catch(() => undefined);
      await Promise.race([region.use(), slow]);
      await systemClock.sleep(100, stop.signal).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function rehearse(
  { fault, cause, alert, alsoAllowed = [], doctor, doctorClock = systemClock, begin, end }: Rehearsal,
  region: Region,
  recorder: ScrapeRecorder,
  signal: AbortSignal,
): Promise<DrillResult> {
  recorder.restart(region.targets());
  // Waits for the monitor's next heartbeat. The monitor updates its heartbeat metric only once a minute, and an earlier drill may
  // have interrupted the updates.
  do await recorder.scraped(1);
  while (!recorder.has("monitor_heartbeat") && recorder.recording.scrapes < maxScrapes);
  await recordQuietTime(region, recorder, fault, signal);
  const faultSeconds = recorder.recording.scrapes * scrapeSeconds;
  await begin(region, recorder);
  try {
    const findings = await examineInstallation(
      { state: region.fleet.state.path, config: region.configFile },
      { clock: doctorClock, signal },
    );
    const { fired } = await firing(recorder, alert);
    const names = fired.map((each) => each.alert);
    const unexpected = fired.filter((each) => each.alert !== alert && !alsoAllowed.includes(each.alert));
    assert.deepEqual(unexpected, [], `alerts of the drill ${fault}`);
    const expected = fired.find((each) => each.alert === alert);
    if (alert !== undefined) assert.ok(expected, `${fault}: ${alert} did not fire, but ${names.join(", ")}`);
    return {
      fault,
      cause,
      alerts: alert === undefined ? [] : [alert, ...names.filter((name) => name !== alert)],
      ...(expected ? { afterSeconds: expected.afterSeconds - faultSeconds } : {}),
      doctor: doctorReport(fault, findings, doctor),
    };
  } finally {
    await end(region);
  }
}

/**
 * Starts a recording that begins with scrapes without alerts. Waits until alerts of the previous drill have resolved, because their
 * waiting times would otherwise continue during this drill.
 * @throws AssertionError if an alert does not resolve
 */
async function recordQuietTime(
  region: Region,
  recorder: ScrapeRecorder,
  fault: string,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    recorder.restart(region.targets());
    await recorder.scraped(quietScrapes);
    const { fired, active } = await evaluateAlerts(recorder.recording);
    if (fired.length === 0 && active.length === 0) return;
    assert.ok(attempt < maxQuietAttempts, `alerts before the drill ${fault}: ${active.join("; ")}`);
  }
}

/**
 * Returns the alerts that fired. Waits until the expected alert fires. If no alert is expected, waits for a fixed number of
 * scrapes.
 */
async function firing(recorder: ScrapeRecorder, alert: string | undefined) {
  if (alert === undefined) {
    await recorder.scraped(silentScrapes);
    return evaluateAlerts(recorder.recording);
  }
  for (;;) {
    await recorder.scraped(stepScrapes);
    const { recording } = recorder;
    const evaluation = await evaluateAlerts(recording);
    const isExpected = evaluation.fired.some((each) => each.alert === alert);
    if (isExpected || recording.scrapes >= maxScrapes) return evaluation;
  }
}

function doctorReport(
  fault: string,
  findings: Awaited<ReturnType<typeof examineInstallation>>,
  expected: Rehearsal["doctor"],
): string {
  if (expected === undefined) return "no finding";
  const found = findings.find(({ check }) => check === expected.check);
  assert.equal(found?.status, expected.status, `${fault}: doctor found ${JSON.stringify(findings)}`);
  assert.match(found.summary, expected.summary, fault);
  return `${found.status} \`${found.check}\`: ${found.summary}`;
}

export const header = "| fault | cause | alerts | time | `keelson doctor` |\n|---|---|---|---|---|";

export function rowOf({ fault, cause, alerts, afterSeconds, doctor }: DrillResult): string {
  const time = afterSeconds === undefined ? "-" : `${afterSeconds} s`;
  return `| ${[fault, cause, alerts.length === 0 ? "none" : alerts.join(", "), time, doctor].join(" | ")} |`;
}
