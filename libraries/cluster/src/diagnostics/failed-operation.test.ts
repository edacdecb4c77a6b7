import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { createLogger, type Logger, systemClock } from "@keelson/base";
import { replace } from "@keelson/database";
import { connectKube, createKubeconfig, type KubeClient } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import type { ClusterEnvironment } from "../context/environment.ts";
import { ClusterOperation } from "../operation.ts";
import { contextOf } from "../testing/context.ts";
import { putCluster, putSubscription } from "../testing/documents.ts";
import { acquireCluster, guardOf, openStore, signal } from "../testing/store.ts";
import { startWorld, type World } from "../testing/world.ts";
import { gatherDiagnostics } from "./gather.ts";

let world: World;
let database: ServiceDatabase;
before(async () => {
  [world, database] = await Promise.all([startWorld(), openStore()]);
  await putSubscription(database, world.subscriptionId);
});
after(async () => {
  await database?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

interface Line {
  readonly diagnostics?: string;
  readonly error?: string;
  readonly [member: string]: unknown;
}

function capturing(lines: Line[]): Logger {
  const write = (line: string) => void lines.push(JSON.parse(line));
  return createLogger({ level: "warn", destination: { write } });
}

/** Returns an environment with an installer that fails after the start of the control plane. */
function failing({ environment }: World): ClusterEnvironment {
  const { installer = assert.fail("no installer") } = environment;
  return {
    ...environment,
    installer: {
      ...installer,
      async bootstrapComplete(context) {
        if (!(await installer.bootstrapComplete(context))) return false;
        throw new Error("the installer failed");
      },
    },
  };
}

test("a failed install reports problems, and logs machines, balancer, nodes and operators", async () => {
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  const cluster = newCluster({
    name: "failing",
    subscriptionId: world.subscriptionId,
    principal,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  });
  const { operationId } = await putCluster(database, cluster);
  const leased = await acquireCluster(database, "worker");
  const found = await database.collections.subscriptions.find(
    world.subscriptionId,
    world.subscriptionId,
    signal,
  );
  assert.ok(found);
  const lines: Line[] = [];
  await using operation = new ClusterOperation({
    database,
    environment: failing(world),
    stored: leased,
    operationId,
    subscription: found.document,
    guard: guardOf(leased),
    signal,
    draining: new AbortController().signal,
    clock: systemClock,
    logger: capturing(lines),
  });
  await operation.load();
  await assert.rejects(operation.run(), (error) => {
    assert.ok(error instanceof CloudError && error.cause instanceof Error);
    assert.equal(error.cause.message, "the installer failed");
    assert.deepEqual(
      [error.body.code, error.body.message],
      ["InternalServerError", "Internal server error."],
    );
    const details = error.body.details ?? [];
    assert.ok(details.length > 0);
    assert.ok(details.every(({ code, target }) => code === "FailureDiagnostics" && target));
    return true;
  });
  const of = (name: string) => lines.filter(({ diagnostics, error }) => diagnostics === name && !error);
  assert.equal(of("clusterVersion").length, 1);
  assert.ok(of("clusterOperators").length > 5);
  assert.deepEqual(of("nodes").filter(({ node }) => String(node).includes("-master-")).length, 3);
  const machines = of("virtualMachines");
  assert.ok(machines.length >= 4);
  for (const { virtualMachine, serialConsole, power } of machines) {
    assert.ok(Array.isArray(serialConsole) && serialConsole.length > 0, String(virtualMachine));
    assert.ok(Array.isArray(power), String(virtualMachine));
  }
  const [balancer] = of("internalLoadBalancer");
  assert.equal(balancer?.provisioningState, "Succeeded");
  assert.ok(Array.isArray(balancer?.pools) && Array.isArray(balancer?.probes));
  // The log must not contain keys of kubeconfigs or of the machines' boot configuration.
  const text = JSON.stringify(lines);
  assert.ok(!/PRIVATE KEY|client-key-data/.test(text));
  const { servicePrincipalProfile, kubeadminPassword } =
    operation.stored.document.openShiftCluster.properties;
  assert.ok(servicePrincipalProfile?.clientSecret);
  for (const secret of [servicePrincipalProfile.clientSecret, kubeadminPassword])
    if (secret) assert.ok(!text.includes(secret.reveal()));
  // Resets the cluster for the next test.
  const { clusters } = database.collections;
  const { document } = operation.stored;
  const properties = { ...document.openShiftCluster.properties, provisioningState: "Failed" as const };
  const settled = { ...document, openShiftCluster: { ...document.openShiftCluster, properties } };
  const end = { lease: leased.lease, release: true, signal };
  await database.commit(document.partitionKey, [replace(clusters, operation.stored, settled)], end);
});

test("an unreachable API server is reported, and the machines are inspected nevertheless", async () => {
  const [document] = (
    await database.collections.clusters.list({ partitionKey: world.subscriptionId, limit: 1 }, signal)
  ).items;
  assert.ok(document);
  const cluster = document.document.openShiftCluster;
  const kubeconfig = createKubeconfig({
    server: "https://127.0.0.1:1",
    clientCertificatePem: "C",
    clientKeyPem: "K",
    clusterName: "failing",
    userName: "test",
  });
  await using kube: KubeClient = connectKube({ kubeconfig, userAgent: "test", fieldManager: "test" });
  const lines: Line[] = [];
  const details = await gatherDiagnostics({
    isInstall: true,
    signal,
    logger: capturing(lines),
    contextOf: (ofSource) => {
      const context = contextOf(world, cluster);
      return Object.defineProperties(
        { ...context },
        {
          signal: { value: ofSource },
          kube: { value: () => kube },
        },
      );
    },
  });
  assert.match(details.find(({ target }) => target === "apiServer")?.message ?? "", /API server/);
  assert.ok(lines.some(({ diagnostics, error }) => diagnostics === "nodes" && error));
  assert.ok(lines.some(({ diagnostics, error }) => diagnostics === "virtualMachines" && !error));
});
