/** `make drills`: rehearses the drills of docs/runbooks.md. Prints a table with one row per drill. `--only NAME` selects drills. */
import process from "node:process";
import { parseArgs } from "node:util";
import { ChildProcesses } from "../../scripts/child-processes.ts";
import { rehearsals } from "./rehearsals.ts";
import { header, runDrills } from "./run-drills.ts";

ChildProcesses.supervise();
const known = rehearsals.map(({ fault }) => fault);
const { only } = parseArgs({ options: { only: { type: "string", multiple: true } } }).values;
const unknown = only?.find((name) => !known.includes(name));
if (unknown !== undefined) {
  process.stderr.write(
    `drills: --only ${JSON.stringify(unknown)} is no drill. It must be one of: ${known.join("; ")}. Example: --only "Database down"\n`,
  );
  process.exit(2);
}
const report = (line: string) => {
  process.stdout.write(`${line}\n`);
};
report(header);
const results = await runDrills({
  only,
  report,
  signal: AbortSignal.timeout(3_600_000),
});
report(`${results.length} drills, each alert fired, and keelson doctor reported each fault that it checks`);
