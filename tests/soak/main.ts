/**
 * `make soak`: hours of clusters that are created, updated, watched and deleted beside one that lasts. Memory, open files and
 * the state directory must not grow after the first hour. `--help` lists the options.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { figure, printTable } from "../../bench/table.ts";
import { optionsOrExit } from "../../scripts/command-options.ts";
import { RowFile } from "../../scripts/row-file.ts";
import { Customer } from "./customer.ts";
import { growthOf, problemsOf } from "./growth.ts";
import { databaseDirectory, Instance } from "./instance.ts";
import { measureProcesses, storedBytes } from "./measure.ts";
import { countDocuments, openRaw, shortenRetention } from "./short-retention.ts";
import { progressOf, type SoakRow, segmentsOf } from "./soak-row.ts";

const values = optionsOrExit({
  script: "tests/soak/main.ts",
  description:
    "Creates, updates, watches and deletes clusters of one `keelson up` for hours and measures growth.",
  options: {
    rows: {
      value: "FILE",
      help: "receives a row for each measurement; a second call resumes",
      initial: ".tools/soak.jsonl",
    },
    hours: { value: "N", help: "duration of all calls with this file together", least: 0, initial: "8" },
    "moved-hours": {
      value: "N",
      help: "hours by which Azure's clock moves at the end",
      least: 0,
      initial: "24",
    },
    "session-hours": { value: "N", help: "maximum duration of this call", least: 0, initial: "1000" },
    period: { value: "MINUTES", help: "between measurements", least: 0.1, initial: "10" },
    settle: { value: "SECONDS", help: "between a round and a measurement", least: 0, initial: "15" },
    pause: { value: "SECONDS", help: "between rounds, for other programs", least: 0, initial: "5" },
    retention: { value: "MINUTES", help: "maximum time to live of documents", least: 1, initial: "20" },
    "warm-up": { value: "MINUTES", help: "before growth counts, in each call", least: 0, initial: "60" },
    snapshots: {
      value: "DIR",
      help: "receives heap snapshots after the warm-up and at the end",
      initial: "",
    },
  },
  example: "--rows /var/tmp/soak.jsonl --hours 8 --moved-hours 24 --session-hours 2",
});
const number = (name: string) => Number(values[name]);
const file = new RowFile<SoakRow>(values.rows ?? "");
/** Aborts after the round in progress. A second signal exits immediately. */
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
const never = new AbortController().signal;

const missing = () => {
  const { hours, movedHours } = progressOf(file.rows());
  return { hours: number("hours") - hours, movedHours: number("moved-hours") - movedHours };
};
if (missing().hours > 0 || missing().movedHours > 0) await runSegment();
report();

async function runSegment(): Promise<void> {
  const earlier = progressOf(file.rows());
  const state = earlier.state ?? `${file.path}.state`;
  const ready = databaseDirectory(state) ?? (await prepare(state));
  {
    await using database = await openRaw(ready, never);
    await shortenRetention(database, number("retention"), never);
  }
  file.append({ kind: "segment", state });
  {
    await using instance = await Instance.start(state);
    await runRounds(instance, state, earlier.rounds);
  }
  await using database = await openRaw(ready, never);
  file.append({ kind: "tables", rows: await countDocuments(database, never) });
}

/** Returns the directory of a new database. */
async function prepare(state: string): Promise<string> {
  await using _ = await Instance.start(state);
  return join(state, "database");
}

async function runRounds(instance: Instance, state: string, firstRound: number): Promise<void> {
  await using customer = new Customer(state);
  await customer.deleteLeftovers(never);
  const startedMs = performance.now();
  const sessionMs = number("session-hours") * 3_600_000;
  const warmUpMs = number("warm-up") * 60_000;
  let measuredMs = startedMs;
  let [rounds, movedHours, isWarm] = [0, 0, false];
  let failures: string[] = [];
  const measure = async (snapshot: string | undefined) => {
    // The simulated cluster of the last round is removed after the end of its deletion.
    await pause("settle");
    const now = performance.now();
    const directory = values.snapshots ?? "";
    if (directory !== "") mkdirSync(directory, { recursive: true });
    const processes = await measureProcesses(instance.pid, instance.inspectPort, async (inspected, role) => {
      if (directory === "" || snapshot === undefined) return;
      const name = `${role.replace(/\W+/g, "-")}-${snapshot}.heapsnapshot`;
      await inspected.writeHeapSnapshot(join(directory, name));
    });
    file.append({
      kind: "measure",
      seconds: (now - measuredMs) / 1_000,
      movedHours,
      rounds,
      failures,
      processes,
      bytes: storedBytes(state),
    });
    measuredMs = now;
    [rounds, movedHours, failures] = [0, 0, []];
  };
  const isDue = () => performance.now() - measuredMs >= number("period") * 60_000;
  // The rows of the moved time are separate from those of the true time.
  const hoursLeft = () => missing().hours - (performance.now() - measuredMs) / 3_600_000;
  let count = firstRound;
  let isMoving = false;
  for (;;) {
    const { movedHours: movedLeft } = missing();
    const isOver = performance.now() - startedMs >= sessionMs || stop.signal.aborted;
    if (isOver || instance.failure !== undefined) break;
    if (!isMoving && hoursLeft() <= 0) {
      if (rounds > 0) await measure(undefined);
      isMoving = true;
    }
    if (isMoving && movedLeft - movedHours <= 0) break;
    if (isMoving) {
      await customer.advanceClock(1);
      movedHours++;
    }
    await customer.round(count, never).catch((error: unknown) => {
      failures.push(`round ${count}: ${describe(error)}`);
    });
    count++;
    rounds++;
    if (isDue()) {
      const becomesWarm = !isWarm && performance.now() - startedMs >= warmUpMs;
      isWarm ||= becomesWarm;
      await measure(becomesWarm ? `warm-${count}` : undefined);
    }
    await pause("pause");
  }
  if (instance.failure !== undefined) throw new Error(instance.failure);
  await measure(`end-${count}`);
}

async function pause(name: "pause" | "settle"): Promise<void> {
  await delay(number(name) * 1_000, undefined, { signal: stop.signal }).catch(() => undefined);
}

function describe(error: unknown): string {
  const { message, cause }: { message?: unknown; cause?: unknown } = Object(error);
  const reason = cause === undefined ? "" : ` (${describe(cause)})`;
  return `${String(message ?? error).slice(0, 1_000)}${reason}`;
}

function report(): void {
  const segments = segmentsOf(file.rows());
  const growth = growthOf(segments, number("warm-up") / 60);
  const problems = problemsOf(segments);
  const { hours, movedHours, rounds } = progressOf(file.rows());
  printTable([
    ["subject", "segment", "measure", "base", "end", "growth", "allowed", "verdict"],
    ...growth.map((each) => [
      each.subject,
      each.segment,
      each.measure,
      ...[each.base, each.end, each.end - each.base, each.allowed].map(figure),
      each.isExceeded ? "EXCEEDED" : "ok",
    ]),
  ]);
  for (const problem of problems) console.log(problem);
  const exceeded = growth.filter(({ isExceeded }) => isExceeded).length;
  const { hours: hoursLeft, movedHours: movedLeft } = missing();
  console.log(
    `${rounds} rounds in ${figure(hours)} h and ${movedHours} moved h: ${exceeded} measures exceeded, ${problems.length} problems`,
  );
  const isComplete = hoursLeft <= 0 && movedLeft <= 0;
  if (!isComplete) console.log("Not complete. Call again with the same file.");
  process.exitCode = exceeded + problems.length > 0 ? 1 : 0;
}
