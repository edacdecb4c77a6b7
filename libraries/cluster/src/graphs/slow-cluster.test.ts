import assert from "node:assert/strict";
import { createServer } from "node:https";
import { after, before, describe, test } from "node:test";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { connectKube, createKubeconfig } from "@keelson/kube";
import { withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { type Step, StepTimeoutError } from "@keelson/workflow";
import { runStep } from "@keelson/workflow/testing";
import type { ClusterContext } from "../context/context.ts";
import { retryPolicy } from "../retry-policy.ts";
import { offlineContext } from "../testing/offline-context.ts";
import { adminUpdateGraph } from "./admin-update.ts";
import { bootstrapGraph, removeBootstrapGraph } from "./create.ts";
import { deleteGraph } from "./delete.ts";
import { maintenanceTaskGraphs } from "./maintenance.ts";
import { updateGraph } from "./update.ts";
import { identityRemoveBootstrapGraph, identityUpdateGraph } from "./workload-identity.ts";

/** Starts an API server that accepts every request. Its responses never end and arrive a few bytes at a time. */
async function startSlowServer(): Promise<AsyncDisposable & { readonly kubeconfig: string }> {
  const authority = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(authority, {
    commonName: "server",
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  const server = createServer({ cert: tls.certificatePem, key: tls.privateKeyPem }, (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"items":[');
    const trickle = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(trickle)).on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const kubeconfig = createKubeconfig({
    server: `https://127.0.0.1:${address.port}`,
    caPem: authority.certificatePem,
    clientCertificatePem: tls.certificatePem,
    clientKeyPem: tls.privateKeyPem,
    clusterName: "slow",
    userName: "service",
  });
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const everything = adminUpdateGraph(newCluster({ name: "demo", state: "AdminUpdating" }));
const graphs = [
  ...[bootstrapGraph, removeBootstrapGraph, updateGraph, deleteGraph, everything],
  ...[identityRemoveBootstrapGraph, identityUpdateGraph, ...maintenanceTaskGraphs.values()],
];
const steps = new Map(graphs.flatMap((each) => each.steps.map((step) => [step.name, step])));

describe("on a cluster that sends bytes slowly and for ever", () => {
  let slow: Awaited<ReturnType<typeof startSlowServer>>;
  before(async () => {
    slow = await startSlowServer();
  });
  after(() => slow[Symbol.asyncDispose]());

  /**
   * Runs a step while its clock advances, and returns the step's outcome. Returns undefined if the step sends no request to the
   * cluster.
   */
  async function outcomeOf(step: Step<ClusterContext>) {
    const clock = new ManualClock();
    const abandoned = new AbortController();
    let asksCluster = false;
    const kube = connectKube({
      kubeconfig: slow.kubeconfig,
      userAgent: "test/1",
      fieldManager: "test",
      beforeRequest() {
        asksCluster = true;
      },
    });
    const { signal } = abandoned;
    const cluster = withProperties(newCluster({ name: "demo" }), { infraId: "demo-x1x2x" });
    const running = runStep(step, {
      clock,
      signal,
      retryPolicy: retryPolicy({ authorizationRetry: { everyMs: 1_000, forMs: 10_000 } }),
      context: (scope) =>
        offlineContext({
          cluster,
          signal: scope.signal,
          clock,
          change: { kube: () => kube },
        }),
    });
    let isOver = false;
    const ended = running.finally(() => {
      isOver = true;
    });
    const startedMs = clock.monotonicMs();
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await clock.advance(step.timeoutMs / 20);
    }
    const outcome = await ended;
    const elapsedMs = clock.monotonicMs() - startedMs;
    await kube[Symbol.asyncDispose]();
    return asksCluster ? { outcome, elapsedMs } : undefined;
  }

  test("every step of every graph ends by its own limit with an error that names it", async () => {
    const results = await Promise.all(
      [...steps.values()].map(async (step) => ({ step, result: await outcomeOf(step) })),
    );
    const asking = results.filter(({ result }) => result !== undefined);
    assert.ok(asking.length > 30, `only ${asking.length} steps reached the cluster`);
    for (const { step, result } of asking) {
      const { outcome } = result ?? {};
      assert.ok(outcome?.kind === "failed", `${step.name} failed`);
      assert.ok(outcome.error instanceof StepTimeoutError, `${step.name}: ${outcome.error}`);
      assert.equal(outcome.error.step, step.name);
      assert.ok((result?.elapsedMs ?? 0) < 2 * step.timeoutMs, `${step.name} ended late`);
    }
  });
});
