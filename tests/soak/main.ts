/**
 * `make soak`: creates, updates, watches and deletes clusters for hours while one permanent cluster exists. Memory, open files
 * and the state directory must not grow after the first hour. `--help` lists the options.
 */
import { join } from "node:path";
import process from "node:process";
import { figure, printTable } from "../../bench/support/table.ts";
import { optionsOrExit } from "../../scripts/command-options.ts";
import { RowFile } from "../../scripts/row-file.ts";
import { growthOf, problemsOf } from "./growth.ts";
import { databaseDirectory, Instance } from "./instance.ts";
import { runRounds } from "./run-rounds.ts";
import { countDocuments, openRaw, shortenRetention } from "./short-retention.ts";
import { progressOf, type SoakRow, segmentsOf } from "./soak-row.ts";

const values = optionsOrExit({
  script: "tests/soak/main.ts",
  description:
    "Creates, updates, watches and deletes clusters of one `keelson up` for hours. Measures the growth of memory, open files and disk usage.",
  options: {
    rows: {
      value: "FILE",
      help: "output file with one row per measurement; if it exists, the run resumes",
      initial: ".tools/soak.jsonl",
    },
    hours: {
      value: "N",
      help: "total duration of all runs with the same output file, in hours",
      least: 0,
      initial: "8",
    },
    "moved-hours": {
      value: "N",
      help: "hours by which the simulated Azure's clock is advanced at the end",
      least: 0,
      initial: "24",
    },
    "session-hours": {
      value: "N",
      help: "maximum duration of this run, in hours",
      least: 0,
      initial: "1000",
    },
    period: {
      value: "MINUTES",
      help: "interval between measurements, in minutes",
      least: 0.1,
      initial: "10",
    },
    settle: {
      value: "SECONDS",
      help: "pause between a round and a measurement, in seconds",
      least: 0,
      initial: "15",
    },
    pause: { value: "SECONDS", help: "pause between rounds, in seconds", least: 0, initial: "5" },
    retention: {
      value: "MINUTES",
      help: "maximum time to live of database documents, in minutes",
      least: 1,
      initial: "20",
    },
    "warm-up": {
      value: "MINUTES",
      help: "time without growth limits at the start of each run, in minutes",
      least: 0,
      initial: "60",
    },
    snapshots: {
      value: "DIR",
      help: "output directory for heap snapshots after the warm-up and at the end",
      initial: "",
    },
  },
  example: "--rows /var/tmp/soak.jsonl --hours 8 --moved-hours 24 --session-hours 2",
});
const number = (name: string) => Number(values[name]);
const file = new RowFile<SoakRow>(values.rows ?? "");
/** Aborts after the current round. A second signal exits immediately. */
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

if (missingHours().some((hours) => hours > 0)) await runSegment();
report();

/** Returns the remaining hours in real time and the hours by which the simulated clock still has to be moved. */
function missingHours(): readonly [number, number] {
  const { hours, movedHours } = progressOf(file.rows());
  return [number("hours") - hours, number("moved-hours") - movedHours];
}

async function runSegment(): Promise<void> {
  const never = new AbortController().signal;
  const earlier = progressOf(file.rows());
  const [hours, movedHours] = missingHours();
  const state = earlier.state ?? `${file.path}.state`;
  const dataDir = databaseDirectory(state) ?? (await createDatabase(state));
  {
    await using database = await openRaw(dataDir, never);
    await shortenRetention(database, number("retention"), never);
  }
  file.append({ kind: "segment", state });
  {
    await using instance = await Instance.start(state);
    const directory = values.snapshots ?? "";
    await runRounds(instance, {
      state,
      firstRound: earlier.rounds,
      trueMs: hours * 3_600_000,
      movedHours,
      sessionMs: number("session-hours") * 3_600_000,
      periodMs: number("period") * 60_000,
      settleMs: number("settle") * 1_000,
      pauseMs: number("pause") * 1_000,
      snapshots: directory === "" ? undefined : { directory, warmUpMs: number("warm-up") * 60_000 },
      append: (row) => file.append(row),
      stop: stop.signal,
    });
  }
  await using database = await openRaw(dataDir, never);
  file.append({ kind: "tables", rows: await countDocuments(database, never) });
}

/** Creates a database and returns its directory. */
async function createDatabase(state: string): Promise<string> {
  await using _ = await Instance.start(state);
  return join(state, "database");
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
  console.log(
    `${rounds} rounds in ${figure(hours)} h and ${movedHours} moved h: ${exceeded} measures exceeded, ${problems.length} problems`,
  );
  if (missingHours().some((hours) => hours > 0)) console.log("Not complete. Call again with the same file.");
  process.exitCode = exceeded + problems.length > 0 ? 1 : 0;
}
