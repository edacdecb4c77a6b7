/**
 * Runs schemathesis against the ARM API. It sends valid and invalid requests from the project's OpenAPI documents and validates
 * the responses. Fails after a 5xx status, an undocumented status or body, or an exit of the service.
 *
 *     node tests/fuzz/main.ts [--minutes 10] [--versions 2025-07-25,2023-11-22]
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { httpConnectTimeoutMs } from "@keelson/base";
import { findApiDocument, listApiDocuments } from "@keelson/openapi";
import { Agent, request } from "undici";
import { ChildProcesses } from "../../scripts/child-processes.ts";
import { readEndpoints } from "../e2e/support/endpoints.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";

const schemathesisVersion = "4.32.5";
const root = new URL("../..", import.meta.url).pathname;
const environment = `${root}.tools/schemathesis-${schemathesisVersion}`;
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    versions: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  console.log(
    "usage: node tests/fuzz/main.ts [--minutes N] [--versions V,V...]   (default: 10 minutes, all versions)",
  );
  process.exit(0);
}
ChildProcesses.supervise();
const versions = values.versions?.split(",") ?? listApiDocuments().map(({ version }) => version);
const totalSeconds = Number(values.minutes) * 60;
if (!(totalSeconds > 0)) throw new Error(`--minutes '${values.minutes}' is no number of minutes`);

await installSchemathesis();
using state = new StateDirectory();
await using service = Program.startUnder(
  [],
  "up",
  "--state",
  state.path,
  "--ports",
  "auto",
  "--log-level",
  "warn",
);
await service.says(/endpoints/, 120_000);
const endpoints = readEndpoints(state.file("endpoints.json"));
let passed = 0;
let failed = 0;
// Uses half of the time for an existing cluster and half for random paths.
const targets = versions.flatMap((version) => [
  { version, parameters: { resourceGroupName: "demo", resourceName: "demo" } },
  { version, parameters: {} },
]);
for (const { version, parameters } of targets) {
  const document = findApiDocument(version);
  const seconds = Math.max(10, Math.floor(totalSeconds / targets.length));
  console.log(`\n${version}, ${seconds} s, ${JSON.stringify(parameters)}`);
  writeFileSync(state.file("schemathesis.toml"), configuration(version, parameters));
  const code = await schemathesis([
    ...["--config-file", state.file("schemathesis.toml"), "run", document.file],
    ...["--url", endpoints.rp, "--tls-verify", endpoints.caFile, "--checks", checks.join(",")],
    ...["--max-time", `${seconds}`, "--continue-on-failure", "--warnings", "off", "--request-timeout", "60"],
    ...["--suppress-health-check", "all"],
  ]);
  const alive = service.running && (await isReady());
  if (!alive) console.log(`the service died:\n${service.stderr.slice(-4_000)}`);
  code === 0 && alive ? passed++ : failed++;
  if (!alive) break;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Returns a schemathesis configuration with fixed values for path parameters and the API version. Random strings would never
 * match existing subscriptions or resources.
 */
function configuration(version: string, parameters: Readonly<Record<string, string>>): string {
  const fixed = {
    subscriptionId: endpoints.subscriptionId,
    location: "eastus",
    ...parameters,
  };
  const lines = Object.entries(fixed).map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`);
  return `[parameters]\n${lines.join("\n")}\n"query.api-version" = ${JSON.stringify(version)}\n`;
}

async function isReady(): Promise<boolean> {
  const agent = new Agent({
    connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(endpoints.caFile, "utf8") },
  });
  try {
    const response = await request(`${endpoints.rp}/healthz/ready`, { dispatcher: agent });
    await response.body.dump();
    return response.statusCode === 200;
  } catch {
    return false;
  } finally {
    await agent.close();
  }
}

async function installSchemathesis(): Promise<void> {
  if (existsSync(`${environment}/bin/schemathesis`)) return;
  console.log(`installing schemathesis ${schemathesisVersion} ...`);
  if ((await run("python3", ["-m", "venv", environment])) !== 0) {
    throw new Error("python3 with its module venv is needed (Debian: python3-venv)");
  }
  const list = `${root}scripts/python/schemathesis-${schemathesisVersion}.txt`;
  // Constrains the packages to the list, as scripts/find-python.sh does.
  const code = await run(`${environment}/bin/pip`, [
    "install",
    "-q",
    "--require-hashes",
    "-c",
    list,
    "-r",
    list,
  ]);
  if (code !== 0) throw new Error("schemathesis could not be installed from PyPI");
}

function schemathesis(args: readonly string[]): Promise<number> {
  return run(`${environment}/bin/schemathesis`, args, state.path);
}

async function run(command: string, args: readonly string[], cwd = root): Promise<number> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await Promise.race([once(child, "close"), once(child, "error").then(() => [1])]);
  return typeof code === "number" ? code : 1;
}
