/**
 * Generates files from the declarations of collectors and alerts. The files are rules for Prometheus, dashboards for Grafana, and
 * the runbooks for the documentation and the portal.
 *
 *     node services/monitor/src/alerts/generate.ts --update
 *
 * Without `--update`, the program lists outdated files and exits with code 1. Its test also fails for outdated files.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { alertRules } from "./alert-rules.ts";
import { dashboard } from "./dashboard.ts";
import { portalRunbooks, runbooks } from "./runbooks.ts";
import { serviceDashboard } from "./service-dashboard.ts";
import { serviceAlertRules } from "./service-rules.ts";

const root = join(import.meta.dirname, "../../../..");

/** Returns the generated content of each file, by its path in the repository. */
function generate(): Readonly<Record<string, string>> {
  const rules = stringify(alertRules(), { lineWidth: 0, aliasDuplicateObjects: false });
  const serviceRules = stringify(serviceAlertRules(), { lineWidth: 0, aliasDuplicateObjects: false });
  return {
    "deploy/monitoring/rules.yaml": `# Made from services/monitor/src/alerts by \`make generate\`: do not edit.\n${rules}`,
    "deploy/monitoring/service-rules.yaml": `# Made from services/monitor/src/alerts by \`make generate\`: do not edit.\n${serviceRules}`,
    "deploy/monitoring/dashboard.json": `${JSON.stringify(dashboard(), null, 2)}\n`,
    "deploy/monitoring/service-dashboard.json": `${JSON.stringify(serviceDashboard(), null, 2)}\n`,
    "docs/runbooks.md": runbooks(),
    "services/portal-web/src/alerts/runbooks.json": portalRunbooks(),
  };
}

/** Returns the paths of outdated files. */
export async function staleFiles(): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const [file, text] of Object.entries(generate())) {
    const present = await readFile(join(root, file), "utf8").catch(() => undefined);
    if (present !== text) stale.push(file);
  }
  return stale;
}

async function main(): Promise<void> {
  if (process.argv.includes("--update")) {
    for (const [file, text] of Object.entries(generate())) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
    return;
  }
  const stale = await staleFiles();
  if (stale.length === 0) return;
  process.stderr.write(`${stale.join(", ")}: stale, run make generate\n`);
  process.exitCode = 1;
}

if (import.meta.main) void main();
