/** `make upgrade`: this version beside each earlier one, at full size; a line for each change, and one each with what came of it. */
import process from "node:process";
import { checkOut } from "./check-out.ts";
import { earlierVersions } from "./earlier-versions.ts";
import { runSideBySide } from "./side-by-side.ts";

const signal = AbortSignal.timeout(3_600_000);
const report = (line: string) => {
  process.stdout.write(`${line}\n`);
};
for (const version of earlierVersions) {
  report(`beside ${version.name}`);
  const earlier = await checkOut(version, signal);
  const { operations, kills } = await runSideBySide({
    ...{ earlier, clusters: 6, rounds: 4, killEveryMs: 8_000, report, signal },
  });
  report(
    `${version.name}: ${operations} operations and ${kills} kills, all ended well, no finished step run twice, no field lost`,
  );
}
