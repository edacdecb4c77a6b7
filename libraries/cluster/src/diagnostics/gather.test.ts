import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { aborted, Secret, silentLogger } from "@keelson/base";
import { preparedCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { offlineContext } from "../testing/offline-context.ts";
import { needsDiagnosis, withDiagnostics } from "./attach.ts";
import { consoleLines } from "./azure.ts";
import { complaint } from "./conditions.ts";
import { type DiagnosticSource, finding } from "./finding.ts";
import { gatherDiagnostics } from "./gather.ts";
import { hiveSource } from "./hive.ts";

const signal = AbortSignal.timeout(900_000);

function source(
  name: string,
  inspect: DiagnosticSource["inspect"],
  change: Partial<DiagnosticSource> = {},
): DiagnosticSource {
  return { name, ofInstallsOnly: false, limitMs: 30_000, inspect, ...change };
}

async function gather(sources: readonly DiagnosticSource[], isInstall = true) {
  const lines: Record<string, unknown>[] = [];
  const keep = (fields: unknown) => void lines.push(fields as Record<string, unknown>);
  const details = await gatherDiagnostics({
    isInstall,
    sources,
    signal,
    logger: { ...silentLogger, warn: keep },
    contextOf: (ofSource) => ({ signal: ofSource }) as ClusterContext,
  });
  return { lines, details };
}

test("problems are reported and facts are logged, each with its source", async () => {
  const { lines, details } = await gather([
    source("nodes", async () => finding([{ node: "a" }, { node: "b" }], "1 of 2 nodes is not ready: b.")),
    source("fine", async () => finding([{ all: "well" }])),
    source("nothing", async () => undefined),
  ]);
  assert.deepEqual(details, [
    { code: "FailureDiagnostics", target: "nodes", message: "1 of 2 nodes is not ready: b." },
  ]);
  assert.deepEqual(lines, [
    { diagnostics: "nodes", node: "a" },
    { diagnostics: "nodes", node: "b" },
    { diagnostics: "fine", all: "well" },
  ]);
});

test("a failing source and a slow one do not affect other sources", async () => {
  const { lines, details } = await gather([
    source("broken", () => Promise.reject(new Error("no such thing; token=abcdefghijk"))),
    source(
      "slow",
      async (context) => {
        await aborted(context.signal);
        throw context.signal.reason;
      },
      { limitMs: 20 },
    ),
    source("sound", async () => finding([], "it is cold")),
    source("apiServer", () => Promise.reject(new Error("connect ECONNREFUSED"))),
  ]);
  assert.deepEqual(
    details.map(({ target, message }) => [target, message]),
    [
      ["sound", "it is cold"],
      ["apiServer", "The API server cannot be asked: connect ECONNREFUSED"],
    ],
  );
  const errors = Object.fromEntries(lines.map((each) => [each.diagnostics, each.error]));
  assert.equal(errors.broken, "no such thing; token=[REDACTED]");
  assert.match(String(errors.slow), /timeout/);
});

test("sources for installs are not inspected in updates", async () => {
  const looked: string[] = [];
  const noting = (name: string, ofInstallsOnly: boolean) =>
    source(
      name,
      async () => {
        looked.push(name);
        return undefined;
      },
      { ofInstallsOnly },
    );
  await gather([noting("install", true), noting("always", false)], false);
  assert.deepEqual(looked, ["always"]);
});

test("nothing secret, and nothing endless, gets into the log or an error", async () => {
  const key = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA", "-----END RSA PRIVATE KEY-----"];
  const { lines, details } = await gather([
    source("console", async () =>
      finding(
        [
          {
            output: ["first", ...key, "last"],
            deep: { list: [{ text: "password: hunter2hunter2" }] },
            long: "x ".repeat(10_000),
            many: Array.from({ length: 5_000 }, (_, index) => `line ${index}`),
            count: 3,
            missing: undefined,
          },
        ],
        `Authorization: Bearer abcdefghijklmnop ${"y ".repeat(2_000)}`,
      ),
    ),
  ]);
  const text = JSON.stringify([lines, details]);
  for (const secret of ["MIIEow", "hunter2", "abcdefghijklmnop"]) assert.ok(!text.includes(secret), secret);
  const [line] = lines;
  assert.deepEqual(line?.output, ["first", "[REDACTED]", "last"]);
  assert.equal(String(line?.long).length, 4_097);
  assert.ok(Array.isArray(line?.many));
  assert.deepEqual([line.many.length, line.many.at(-1)], [2_000, "line 4999"]);
  assert.equal(details[0]?.message.length, 1_001);
});

test("an operation's error keeps its message and gets details", () => {
  const found = [{ code: "FailureDiagnostics", target: "nodes", message: "none" }];
  const details = [{ code: "A", message: "a" }];
  const told = withDiagnostics(
    new CloudError("DeploymentFailed", "Deployment failed.", {
      status: 500,
      target: "t",
      details,
      cause: "c",
    }),
    found,
  );
  assert.ok(told instanceof CloudError);
  assert.deepEqual(
    [told.status, told.cause, told.body],
    [
      500,
      "c",
      {
        code: "DeploymentFailed",
        message: "Deployment failed.",
        target: "t",
        details: [...details, ...found],
      },
    ],
  );
  const ours = new Error("something of ours");
  const hidden = withDiagnostics(ours, found);
  assert.ok(hidden instanceof CloudError && hidden.cause === ours);
  assert.deepEqual(hidden.body, {
    code: "InternalServerError",
    message: "Internal server error.",
    details: found,
  });
  assert.equal(withDiagnostics(ours, []), ours);
  const refused = new CloudError("DeploymentFailed", "Deployment failed.", { details });
  assert.equal(withDiagnostics(refused, found), refused);
});

test("what a customer has to repair needs no diagnosis", () => {
  assert.equal(needsDiagnosis(new CloudError("InvalidLinkedVNet", "no")), false);
  assert.equal(needsDiagnosis(new CloudError("InvalidServicePrincipalCredentials", "no")), false);
  assert.equal(needsDiagnosis(new CloudError("DeploymentFailed", "no")), true);
  assert.equal(needsDiagnosis(new CloudError("QuotaExceeded", "no", { status: 500 })), true);
  assert.equal(needsDiagnosis(new Error("no")), true);
});

for (const [conditions, fault] of [
  [
    [
      { type: "Available", status: "True" },
      { type: "Degraded", status: "False" },
    ],
    undefined,
  ],
  [[{ type: "Available", status: "False", reason: "R", message: "because" }], "Available=False: because"],
  [
    [
      { type: "Available", status: "True" },
      { type: "Degraded", status: "True", reason: "R" },
    ],
    "Degraded=True: R",
  ],
  [[], "Available is not known yet"],
] as const) {
  test(`conditions ${JSON.stringify(conditions)} mean ${fault ?? "that all is well"}`, () => {
    const object = { apiVersion: "v1", kind: "X", metadata: { name: "x" }, status: { conditions } };
    assert.equal(complaint(object), fault);
  });
}

test("a console is shown without what is empty or repeated", () => {
  assert.deepEqual(consoleLines(["a\r", "", "a", "b", "b", "  c  ", ""]), ["a", "a", "b", "c"]);
});

for (const [name, status, summary] of [
  ["failed", "True", "Hive reports a failed install: AzureZonalAllocationFailed."],
  ["is in progress", "False", undefined],
] as const) {
  test(`the report of Hive about an install that ${name}`, async () => {
    const conditions = [{ type: "ProvisionFailed", status, reason: "AzureZonalAllocationFailed" }];
    const deployment = {
      apiVersion: "hive.openshift.io/v1",
      kind: "ClusterDeployment",
      metadata: { name: "cluster", namespace: "aro-x" },
      spec: { installed: false },
      status: { conditions },
    };
    const base = preparedCluster(new Secret("key"));
    const properties = { ...base.properties, hiveProfile: { namespace: "aro-x", createdByHive: true } };
    const hive = { adoptsClusters: false, findDeployment: async () => deployment };
    const environment = { hive } as unknown as ClusterContext["environment"];
    const context = offlineContext({ cluster: { ...base, properties }, signal, change: { environment } });
    const found = await hiveSource.inspect(context);
    assert.equal(found?.summary, summary);
    assert.deepEqual(found?.facts, [{ namespace: "aro-x", installed: false, conditions }]);
  });
}
