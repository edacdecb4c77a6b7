/**
 * Cuts a release, builds and signs its files, and verifies them (docs/releases.md).
 *
 *     node scripts/release.ts cut VERSION [--dry-run]
 *     node scripts/release.ts artifacts --key FILE
 *     node scripts/release.ts verify DIR --public-key FILE
 */
import { join, resolve } from "node:path";
import process from "node:process";
import { buildArtifacts } from "./release/build-artifacts.ts";
import { cutRelease, releaseProblems } from "./release/cut-release.ts";
import {
  parseReleaseOptions,
  type ReleaseOptions,
  readPublicKey,
  readSigningKey,
  UsageError,
  usage,
} from "./release/options.ts";
import { currentVersion } from "./release/set-versions.ts";
import { verifyRelease } from "./release/sign-release.ts";

const root = resolve(import.meta.dirname, "..");

async function main({ command, argument, values, switches }: ReleaseOptions): Promise<number> {
  if (command === "help") process.stdout.write(usage);
  if (command === "cut") return cut(argument, switches.has("dry-run"));
  if (command === "verify") {
    const problems = await verifyRelease(resolve(argument), readPublicKey(values["public-key"] ?? ""));
    for (const problem of problems) console.error(problem);
    if (problems.length === 0) console.log(`${argument}: signature, checksums and provenance are valid`);
    return problems.length === 0 ? 0 : 1;
  }
  if (command === "artifacts") {
    const { key, source, npmrc } = values;
    await buildArtifacts(root, {
      directory: resolve(values.output ?? join(root, "dist/release", currentVersion(root))),
      builder: values.builder ?? "urn:keelson:local",
      withoutImages: switches.has("without-images"),
      report: (line) => console.log(line),
      key: key === undefined ? undefined : readSigningKey(key),
      baseImage: values["base-image"],
      npmrc: npmrc === undefined ? undefined : resolve(npmrc),
      source,
    });
  }
  return 0;
}

function cut(version: string, dryRun: boolean): number {
  const problems = releaseProblems(root, version);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 2;
  const date = new Date().toISOString().slice(0, 10);
  const paths = cutRelease(root, { version, date }, { dryRun });
  console.log(`${dryRun ? "would change" : "changed and committed"} ${paths.length} files for ${version}`);
  if (dryRun) for (const path of paths) console.log(`  ${path}`);
  return 0;
}

try {
  process.exitCode = await main(parseReleaseOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
