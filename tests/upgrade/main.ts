/**
 * `make upgrade`: tests rolling upgrades from each earlier version at full size. Processes of both versions first run together.
 * Then processes of the current version replace those of the earlier version. Prints a line per change and per result. Arguments
 * select versions.
 */
import process from "node:process";
import { ChildProcesses } from "../../scripts/child-processes.ts";
import { checkOut } from "./check-out.ts";
import { earlierVersions } from "./earlier-versions.ts";
import { places } from "./mixed-world.ts";
import { runRollingDeploys } from "./rolling-deploy.ts";
import { runSideBySide } from "./side-by-side.ts";

ChildProcesses.supervise();
const [, , ...named] = process.argv;
const versions = earlierVersions.filter(({ name }) => named.length === 0 || named.includes(name));
const signal = AbortSignal.timeout(7_200_000);
const report = (line: string) => {
  process.stdout.write(`${line}\n`);
};
for (const version of versions) {
  const earlier = await checkOut(version, signal);
  for (const place of places) {
    report(`beside ${version.name}, ${place}`);
    const { operations, kills } = await runSideBySide({
      ...version,
      ...{ place, earlier, clusters: 6, rounds: 4, killEveryMs: 8_000, report, signal },
    });
    report(
      `${version.name}, ${place}: ${operations} operations and ${kills} kills, all ended well, no finished step run twice, no field lost`,
    );
  }
}
const latest = earlierVersions.at(-1);
if (latest && versions.includes(latest)) {
  report(`instead of ${latest.name}`);
  const earlier = await checkOut(latest, signal);
  const { operations, kills, reads, repeated } = await runRollingDeploys({
    ...{ earlier, clusters: 6, machines: 3, rounds: 2, killEveryMs: 8_000, report, signal },
  });
  report(
    `${latest.name}: ${operations} operations, ${reads} reads, ${repeated} of them repeated, and ${kills} kills, all ended well, no finished step run twice`,
  );
}
