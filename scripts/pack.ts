/**
 * Packs the published packages for npm. The archives contain JavaScript because Node does not run TypeScript in installed
 * packages.
 *
 *     node scripts/pack.ts DIRECTORY [NAME...]     writes NAME-VERSION.tgz to DIRECTORY for `npm publish`
 *
 * The archive of a package contains the package's dependencies from this repository as bundled dependencies. Therefore, one
 * archive is sufficient for an installation. All other dependencies are published packages. A bundler such as rolldown would not
 * work, because worker threads, component processes, migrations, manifests and pages are located relative to their modules.
 */
import { resolve } from "node:path";
import process from "node:process";
import { packPublished } from "./pack/pack-published.ts";

if (import.meta.main) {
  const [directory, ...names] = process.argv.slice(2);
  if (directory === undefined) {
    console.error("usage: node scripts/pack.ts DIRECTORY [NAME...]");
    process.exitCode = 2;
  } else {
    const selected = names.length > 0 ? names : undefined;
    for (const file of packPublished(resolve(import.meta.dirname, ".."), directory, selected))
      console.log(file);
  }
}
