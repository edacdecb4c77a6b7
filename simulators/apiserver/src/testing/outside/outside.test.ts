import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { freePort } from "@keelson/base/testing";
import { request } from "undici";
import { envtestAssets } from "../../envtest-assets.ts";
import { agentFor } from "../agent.ts";
import { startEmbedded } from "../embedded-server.ts";
import { ApiCaller } from "./api-caller.ts";
import { readGoOutput, runGoPackage } from "./go-suite.ts";
import { runOpenshiftCases } from "./openshift-run.ts";

const example = fileURLToPath(new URL("example", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "outside-"));
after(() => rmSync(directory, { recursive: true }));

test("openshift/api cases pass and fail as expected, and files that cannot be parsed are reported", async () => {
  await using plane = await startEmbedded();
  const lines: string[] = [];
  const counts = await runOpenshiftCases(plane, example, "", (line) => lines.push(line));
  assert.deepEqual(counts, { passed: 5, failed: 2, unreadable: 1 }, lines.join("\n"));
  const where = "widgets/v1/tests/widgets.example.com";
  const manifest = `${where}/Widgets.yaml widgets.example.com-CustomNoUpgrade.crd.yaml`;
  const [unreadable, ...failures] = lines;
  assert.equal(unreadable, `UNREADABLE ${where}/NoDefinition.yaml: the suite has no definition (crdName)`);
  assert.ok(failures[0]?.startsWith(`FAIL ${manifest}: expects what is not so\n     got {`), failures[0]);
  assert.equal(
    failures[1],
    `FAIL ${manifest}: expects a refusal that does not come\n     accepted, expected "too small"`,
  );
});

test("only the selected cases are run", async () => {
  await using plane = await startEmbedded();
  const counts = await runOpenshiftCases(plane, example, "Default.crd.yaml", () => undefined);
  assert.deepEqual(counts, { passed: 0, failed: 0, unreadable: 1 });
});

test("envtest's executables serve one cluster at the root for clients of the given CA", async () => {
  using assets = envtestAssets();
  const authority = await createCertificateAuthority("envtest", 1);
  const user = { commonName: "admin", organizations: ["system:masters"] };
  const admin = await issueCertificate(authority, { ...user, usage: "client", validDays: 1 });
  const names = { commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  const tls = await issueCertificate(authority, { ...names, usage: "server", validDays: 1 });
  writeFileSync(join(directory, "apiserver.crt"), tls.certificatePem);
  writeFileSync(join(directory, "apiserver.key"), tls.privateKeyPem);
  writeFileSync(join(directory, "ca.crt"), authority.certificatePem);
  const [port, etcdPort] = [await freePort(), await freePort()];
  const start = (name: string, ...args: readonly string[]) =>
    spawn(join(assets.directory, name), args, { stdio: ["ignore", "inherit", "inherit"] });
  const etcd = start("etcd", `--listen-client-urls=http://127.0.0.1:${etcdPort}`, "--unsafe-no-fsync=true");
  const apiserver = start(
    "kube-apiserver",
    `--secure-port=${port}`,
    `--cert-dir=${directory}`,
    `--client-ca-file=${join(directory, "ca.crt")}`,
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
  );
  const ended = [etcd, apiserver].map((child) => once(child, "exit"));
  try {
    const url = `https://127.0.0.1:${port}`;
    const agent = agentFor(authority, admin);
    const ready = async () => (await request(`${url}/readyz`, { dispatcher: agent })).statusCode === 200;
    while (!(await ready().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await request(`http://127.0.0.1:${etcdPort}/health`)).statusCode, 200);
    await agent.destroy();
    await using api = new ApiCaller({ url, authority, admin });
    const made = { apiVersion: "v1", kind: "Namespace", metadata: { name: "made" } };
    await api.call("POST", "/api/v1/namespaces", made);
    const found = await api.call("GET", "/api/v1/namespaces/made");
    assert.equal(Object(found).metadata.name, "made");
  } finally {
    for (const child of [etcd, apiserver]) child.kill("SIGTERM");
    await Promise.all(ended);
  }
});

test("results of Go tests are counted, including subtests", () => {
  const lines = [
    "--- PASS: TestA (0.01s)",
    "    --- FAIL: TestB/one (0.00s)",
    "--- FAIL: TestB (0.00s)",
    "--- SKIP: TestC (0.00s)",
  ];
  assert.deepEqual(readGoOutput(lines), {
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: ["TestB/one", "TestB"],
  });
});

test("the specs of a Ginkgo suite are counted", () => {
  const lines = [
    "  [FAIL] Client Create [It] should refuse",
    "\u001b[31mFAIL!\u001b[0m -- \u001b[32m284 Passed\u001b[0m | \u001b[31m12 Failed\u001b[0m | 0 Pending | 3 Skipped",
    "--- FAIL: TestSource (12.00s)",
  ];
  assert.deepEqual(readGoOutput(lines), {
    passed: 284,
    failed: 12,
    skipped: 3,
    failures: ["Client Create [It] should refuse"],
  });
});

test("a compiled test program runs in its directory with the assets, and a crash counts as a failure", async () => {
  const program = "#!/bin/sh\necho '--- PASS: TestA (0.00s)'\necho \"$1 $KUBEBUILDER_ASSETS $(pwd)\"\n";
  writeFileSync(join(directory, "a.test"), program, { mode: 0o755 });
  const lines: string[] = [];
  const run = () =>
    runGoPackage(directory, "/assets", (line) => lines.push(line), AbortSignal.timeout(900_000));
  assert.deepEqual(await run(), { passed: 1, failed: 0, skipped: 0, failures: [] });
  assert.deepEqual(lines, ["--- PASS: TestA (0.00s)", `-test.v /assets ${directory}`]);
  writeFileSync(join(directory, "a.test"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  assert.deepEqual(await run(), {
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: [`${directory}: exit code 3`],
  });
});
