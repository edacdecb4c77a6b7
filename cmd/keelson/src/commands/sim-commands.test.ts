import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { createCertificateAuthority, issueCertificate, Secret, silentLogger } from "@keelson/base";
import { location, startTestAzure, subscriptionId, type TestAzure } from "@keelson/sim-azure/testing";
import { startSimulationAdmin } from "@keelson/sim-openshift";
import { loadOrCreateIdentity } from "../state/identity.ts";

const main = join(import.meta.dirname, "..", "main.ts");
const directory = mkdtempSync(join(tmpdir(), "keelson-faults-"));
let azure: TestAzure;
/** Fake service without clusters. */
let service: Server;
let admin: Awaited<ReturnType<typeof startSimulationAdmin>>;

before(async () => {
  const authority = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  const { adminToken } = loadOrCreateIdentity(directory);
  const options = { host: "127.0.0.1", port: 0, tls, token: new Secret(adminToken) };
  admin = await startSimulationAdmin(options, silentLogger);
  const caFile = join(directory, "ca.pem");
  azure = await startTestAzure({ adminToken: new Secret(adminToken) });
  const { certificatePem: cert, privateKeyPem: key } = tls;
  service = createServer({ cert, key }, (request, response) => {
    response.end(JSON.stringify(request.url === "/admin/clusters" ? [] : { value: [] }));
  });
  await new Promise<void>((resolve) => service.listen(0, resolve));
  const address = service.address();
  writeFileSync(caFile, `${authority.certificatePem}\n${azure.caPem}`);
  const members = [
    "login",
    "graph",
    "clusters",
    "metrics",
    "proxy",
    "dns",
    "keyVaultSuffix",
    "portal",
    "location",
  ];
  const endpoints = {
    ...Object.fromEntries([...members, "tenantId", "clientId", "clientSecret"].map((name) => [name, ""])),
    subscriptionId,
    admin: `https://localhost:${admin.port}`,
    arm: `https://localhost:${azure.port}`,
    rp: `https://localhost:${typeof address === "object" ? address?.port : 0}`,
    caFile,
  };
  writeFileSync(join(directory, "endpoints.json"), JSON.stringify(endpoints));
});

after(async () => {
  service.close();
  await Promise.all([admin[Symbol.asyncDispose](), azure[Symbol.asyncDispose]()]);
  rmSync(directory, { recursive: true });
});

const faults = (...args: readonly string[]) => keelson("sim", "faults", ...args);

function keelson(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const flags = ["--disable-warning=ExperimentalWarning", main, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, flags, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error ? -1 : 0;
      resolve({ code, stdout, stderr });
    });
  });
}

test("faults are set, listed and cleared from the command line", async () => {
  const state = ["--state", directory];
  const set = await faults(
    "set",
    "api-error",
    "verb=list",
    "percent=50",
    "--cluster",
    "demo",
    ...state,
    "-o",
    "json",
  );
  assert.equal(set.code, 0, set.stderr);
  const [fault] = JSON.parse(set.stdout);
  assert.partialDeepStrictEqual(fault, {
    kind: "api-error",
    cluster: "demo",
    parameters: { verb: "list", percent: 50 },
  });
  const list = await faults("list", ...state);
  assert.match(
    list.stdout,
    /^ID +KIND +CLUSTER +PARAMETERS\n[0-9a-f]{8} +api-error +demo +verb=list percent=50\n$/,
  );
  assert.deepEqual(JSON.parse((await faults("clear", fault.id, ...state, "-o", "json")).stdout), [fault]);
  assert.deepEqual(JSON.parse((await faults("list", ...state, "-o", "json")).stdout), []);
});

test("faults of Azure are set, listed and cleared beside those of clusters", async () => {
  const state = ["--state", directory];
  const args = ["throttled", "type=Microsoft.Network/*", "percent=10", ...state, "-o", "json"];
  const set = await faults("set", ...args);
  assert.equal(set.code, 0, set.stderr);
  const [fault] = JSON.parse(set.stdout);
  assert.deepEqual(fault.parameters, { type: "Microsoft.Network/*", percent: 10 });
  assert.deepEqual(azure.faults()[0]?.fault, { kind: "throttled", ...fault.parameters });
  await faults("set", "api-error", ...state);
  const { stdout } = await faults("list", ...state);
  assert.match(stdout, /throttled +\(azure\) +type=Microsoft\.Network\/\* percent=10 \(struck 0 of 0\)\n/);
  assert.match(stdout, /api-error +\*\n/);
  assert.deepEqual(JSON.parse((await faults("clear", fault.id, ...state, "-o", "json")).stdout), [fault]);
  assert.deepEqual(azure.faults(), []);
  assert.equal((await faults("clear", "--all", ...state)).code, 0);
});

test("the time of Azure is moved from the command line", async () => {
  const clock = (...args: readonly string[]) => keelson("sim", "clock", "--state", directory, ...args);
  const moved = JSON.parse((await clock("--advance", "90d", "-o", "json")).stdout);
  assert.equal(moved.aheadMs, 90 * 86_400_000);
  assert.match((await clock("--reset")).stdout, /^\d{4}-\S+Z\n$/);
});

test("sim audit lists orphaned resources of Azure and exits with 1", async () => {
  const scope = `/subscriptions/${subscriptionId}/resourceGroups`;
  const managedBy = `${scope}/g/providers/Microsoft.RedHatOpenShift/openShiftClusters/gone`;
  const made = await azure.arm("PUT", `${scope}/aro-gone?api-version=2021-04-01`, { location, managedBy });
  assert.equal(made.status, 201, made.text);
  const { code, stdout } = await keelson("sim", "audit", "--state", directory, "-o", "json");
  assert.equal(code, 1);
  const [finding] = JSON.parse(stdout);
  assert.partialDeepStrictEqual(finding, { kind: "orphaned-group", id: `${scope}/aro-gone` });
});

test("sim faults kinds prints each kind with its parameters", async () => {
  const { stdout } = await faults("kinds", "--state", directory);
  assert.match(stdout, /^api-error: /m);
  assert.match(stdout, /^zonal-allocation-failed: /m);
  assert.match(stdout, /^ {4}node \(required\): /m);
});

for (const [args, code, says] of [
  [["set", "nonsense"], 1, /unknown kind "nonsense": it is one of .*api-error, .*throttled, /],
  [["set", "node-not-ready"], 1, /node-not-ready needs the parameter node/],
  [["set", "slow"], 1, /slow needs the parameter delayMs/],
  [["set", "throttled", "--cluster", "demo"], 1, /a fault of Azure, not of a cluster/],
  [["set", "api-slow", "delayMs"], 2, /expected name=value/],
  [["set", "api-slow", "delayMs=soon"], 1, /delayMs must be a number/],
  [["clear"], 2, /name the faults to clear, or use --all/],
  [["clear", "00000000"], 1, /there is no fault 00000000/],
] as const)
  test(`keelson sim faults ${args.join(" ")} prints the error`, async () => {
    const outcome = await faults(...args, "--state", directory);
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, says);
  });

test("rules of images are set, listed and cleared from the command line", async () => {
  const images = (...args: readonly string[]) => keelson("sim", "images", ...args, "--state", directory);
  const rule = { prefix: "quay.io/app", cluster: "demo", exitCode: 3, afterMs: 2_500, log: "gone" };
  const flags = ["--exit-code", "3", "--after", "2s500ms", "--log", "gone", "--cluster", "demo"];
  const set = await images("set", "quay.io/app", ...flags, "-o", "json");
  assert.equal(set.code, 0, set.stderr);
  assert.deepEqual(JSON.parse(set.stdout), [rule]);
  assert.match(
    (await images("list")).stdout,
    /^PREFIX +CLUSTER +EXIT CODE +AFTER +LOG\nquay\.io\/app +demo +3 +2\.5s +"gone"\n$/,
  );
  assert.deepEqual(JSON.parse((await images("clear", "quay.io/app", "-o", "json")).stdout), [rule]);
  for (const [args, code, pattern] of [
    [["clear", "quay.io/app"], 1, /there is no rule for quay\.io\/app/],
    [["clear"], 2, /name the prefix to clear, or use --all/],
    [["set", "quay.io/app", "--exit-code", "256"], 2, /expected an exit code/],
    [["set", "two words"], 1, /prefix must be the beginning of an image reference/],
  ] as const) {
    const failed = await images(...args);
    assert.equal(failed.code, code, failed.stderr);
    assert.match(failed.stderr, pattern);
  }
});

test("without a world the way to one is named", async () => {
  const outcome = await faults("list", "--state", join(directory, "nowhere"));
  assert.equal(outcome.code, 1);
  assert.match(outcome.stderr, /keelson up --state/);
});
