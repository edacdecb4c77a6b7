import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { until } from "@keelson/base/testing/eventually";
import { adminKubeconfig } from "./testing/index.ts";
import { TestServer } from "./testing/test-server.ts";

/**
 * Lease duration, renew deadline and retry period in milliseconds. They are at most a third of the usual 15, 10 and 2 seconds.
 */
const [leaseMs, deadlineMs, retryMs] = [4_500, 3_000, 400];
/** Maximum number of attempts until a candidate acquires an expired lease. */
const mostTries = Math.ceil(leaseMs / retryMs) + 2;

const directory = mkdtempSync(join(tmpdir(), "leases-"));
after(() => rmSync(directory, { recursive: true }));

interface Term {
  readonly holder: string;
  readonly from: number;
  readonly until: number;
}

test("two contenders never hold a lease concurrently, and the second acquires it when the first is killed", async () => {
  await using server = await TestServer.start();
  const file = join(directory, "kubeconfig");
  writeFileSync(file, adminKubeconfig(server.cluster.url, server.authority, server.admin));
  const program = new URL("./testing/lease-contender.ts", import.meta.url).pathname;
  const terms: Term[] = [];
  let tries = 0;
  const start = (name: string): ChildProcess => {
    const args = [program, file, name, leaseMs, deadlineMs, retryMs].map(String);
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [holder = "", from, until] = line.split(" ");
      if (from === undefined) tries++;
      else terms.push({ holder, from: Number(from), until: Number(until) });
    });
    return child;
  };
  const contenders = { a: start("a"), b: start("b") };
  try {
    await until(() => terms.length >= 5);
    const leader = terms[0]?.holder === "a" ? "a" : "b";
    const other = leader === "a" ? "b" : "a";
    assert.ok(
      terms.every(({ holder }) => holder === leader),
      "the leader changed although it renewed its lease",
    );
    contenders[leader].kill("SIGKILL");
    await once(contenders[leader], "exit");
    const before = tries;
    await until(() => terms.some(({ holder }) => holder === other));
    assert.ok(tries - before <= mostTries, `the other takes over in time, not after ${tries - before} tries`);
    await until(() => terms.filter(({ holder }) => holder === other).length >= 3);
  } finally {
    for (const child of Object.values(contenders)) child.kill("SIGKILL");
  }
  for (const [at, term] of terms.entries()) {
    const before = terms[at - 1];
    if (before && before.holder !== term.holder) assert.ok(term.from >= before.until, "terms do not overlap");
  }
  const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
  const lease = await server.cluster.client.get(leases, { namespace: "default", name: "leader" });
  assert.equal(scalarStringAt(lease, "spec", "leaseTransitions"), "1");
  assert.match(scalarStringAt(lease, "spec", "renewTime"), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test("only one of many concurrent updates of a lease succeeds", async () => {
  await using server = await TestServer.start();
  const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const created = await server.call("POST", path, {
    body: { metadata: { name: "l" }, spec: { holderIdentity: "" } },
  });
  const attempts = Array.from({ length: 10 }, (_, at) => {
    const body = { ...Object(created.body), spec: { holderIdentity: `c${at}` } };
    return server.call("PUT", `${path}/l`, { body });
  });
  const codes = (await Promise.all(attempts)).map(({ status }) => status).sort();
  assert.deepEqual(codes, [200, ...Array.from({ length: 9 }, () => 409)]);
});
