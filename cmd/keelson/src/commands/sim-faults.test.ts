import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { createCertificateAuthority, issueCertificate, Secret, silentLogger } from "@keelson/base";
import { startSimulationAdmin } from "@keelson/sim-openshift";
import { loadOrCreateIdentity } from "../state/identity.ts";

const main = join(import.meta.dirname, "..", "main.ts");
const directory = mkdtempSync(join(tmpdir(), "keelson-faults-"));
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
  writeFileSync(caFile, authority.certificatePem);
  const endpoints = { admin: `https://localhost:${admin.port}`, caFile };
  writeFileSync(join(directory, "endpoints.json"), JSON.stringify(endpoints));
});

after(async () => {
  await admin[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

function faults(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const flags = ["--disable-warning=ExperimentalWarning", main, "sim", "faults", ...args];
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

test("the kinds of faults are told with their parameters", async () => {
  const { stdout } = await faults("kinds", "--state", directory);
  assert.match(stdout, /^api-error: /m);
  assert.match(stdout, /^ {4}node \(required\): /m);
});

for (const [args, code, says] of [
  [["set", "nonsense"], 1, /unknown kind "nonsense": it is one of api-error, /],
  [["set", "node-not-ready"], 1, /node-not-ready needs the parameter node/],
  [["set", "api-slow", "delayMs"], 2, /expected name=value/],
  [["set", "api-slow", "delayMs=soon"], 1, /delayMs must be a number/],
  [["clear"], 2, /name the faults to clear, or say --all/],
  [["clear", "00000000"], 1, /there is no fault 00000000/],
] as const)
  test(`keelson sim faults ${args.join(" ")} says what is wrong`, async () => {
    const outcome = await faults(...args, "--state", directory);
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, says);
  });

test("without a world the way to one is named", async () => {
  const outcome = await faults("list", "--state", join(directory, "nowhere"));
  assert.equal(outcome.code, 1);
  assert.match(outcome.stderr, /keelson up --state/);
});
