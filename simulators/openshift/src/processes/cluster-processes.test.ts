import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiServer, startApiServer } from "@keelson/apiserver";
import { reserveFreePort, Secret, silentLogger, systemClock } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { startSimulatedClusters } from "../simulated-clusters.ts";
import { assertComplete } from "../testing/installed-cluster.ts";
import { infraId, TestWorld } from "../testing/installed-world.ts";
import { getFromAdmin } from "./admin-request.ts";
import { clusterProcessOf } from "./cluster-process.ts";
import type { AdminEndpoint } from "./cluster-share.ts";

const signal = AbortSignal.timeout(900_000);

/** Starts one of several processes of simulated clusters. Its API server is in memory. */
async function startProcess(
  world: TestWorld,
  share: { readonly process: number; readonly admins: readonly AdminEndpoint[] },
) {
  const { azureUrl, adminToken, caPem, tls, timings } = world.simulation;
  const token = new Secret(adminToken);
  const shared = { logger: silentLogger, clock: systemClock };
  await using stack = new AsyncDisposableStack();
  const apiServer: ApiServer = stack.use(
    await startApiServer({ host: "localhost", port: 0, tls, storage: { kind: "memory" }, ...shared }),
  );
  const port = Number(new URL(share.admins[share.process]?.url ?? "").port);
  const clusters = stack.use(
    await startSimulatedClusters({
      apiServer,
      azure: { url: azureUrl, adminToken: token, caPem },
      admin: { host: "localhost", port, tls, token },
      share,
      timings,
      ...shared,
    }),
  );
  const running = stack.move();
  return { apiServer, clusters, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

test("a cluster runs only in its process, and a fault of the first process applies to it", {
  timeout: 900_000,
}, async () => {
  await using world = await TestWorld.start({ asleep: true });
  const { adminToken, caPem } = world.simulation;
  const token = new Secret(adminToken);
  const admins: AdminEndpoint[] = [];
  // The cluster must not run in the first process. Processes are added until the cluster runs in a different process.
  do {
    await using reservation = await reserveFreePort();
    admins.push({ url: `https://localhost:${reservation.port}`, caPem, token });
  } while (clusterProcessOf(infraId, admins.length) === 0);
  const owner = clusterProcessOf(infraId, admins.length);
  await using first = await startProcess(world, { process: 0, admins });
  await using second = await startProcess(world, { process: owner, admins });
  await world.install();
  await eventually(async () => {
    const cluster = second.apiServer.findCluster(infraId);
    assert.ok(cluster);
    await assertComplete(cluster.client, 3);
  });
  assert.deepEqual(first.apiServer.listClusters(), []);

  const name = "/names/api.demo.eastus.keelson.localhost";
  const [firstAdmin, secondAdmin] = [admins[0], admins[owner]];
  assert.ok(firstAdmin && secondAdmin);
  assert.deepEqual(await getFromAdmin(secondAdmin, name, signal), {});
  assert.equal(await getFromAdmin(firstAdmin, name, signal), undefined);

  const fault = first.clusters.faults.set({ kind: "api-unhealthy", parameters: {} });
  assert.deepEqual(await getFromAdmin(firstAdmin, "/faults", signal), { items: [fault] });
  await using restarted = await restart(world, second, { process: owner, admins });
  assert.deepEqual(restarted.clusters.faults.list(), [fault]);
});

/** Restarts a process. Its API server is in memory, so the clusters of the process are lost. */
async function restart(
  world: TestWorld,
  running: AsyncDisposable,
  share: { readonly process: number; readonly admins: readonly AdminEndpoint[] },
) {
  await running[Symbol.asyncDispose]();
  return startProcess(world, share);
}
