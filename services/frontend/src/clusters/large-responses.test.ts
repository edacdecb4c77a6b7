import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { after, before, describe, test } from "node:test";
import { clusterConnector } from "@keelson/admin-actions";
import { Secret, silentLogger, systemClock } from "@keelson/base";
import { type ClusterEnvironment, readLiveProfiles } from "@keelson/cluster";
import { replace } from "@keelson/database";
import { ClusterResponses } from "@keelson/kube";
import { largeCluster, largestCluster, startHandler } from "@keelson/kube/testing";
import { liveReader } from "../service/cluster-status-cache.ts";
import type { ClusterAddress } from "../testing/cluster-request.ts";
import { newCluster } from "../testing/clusters.ts";
import { storedCluster } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = AbortSignal.timeout(120_000);
const stack = new AsyncDisposableStack();
const responses = stack.use(new ClusterResponses());
// The test reads only from the cluster, so it needs only the response parser of the environment.
const environment = { responses } as Partial<ClusterEnvironment> as ClusterEnvironment;
const connectCluster = clusterConnector(environment, systemClock);
let frontend: TestFrontend;
let handle: RequestListener;
let kubeconfig: string;

before(async () => {
  const server = stack.use(await startHandler((request, response) => handle(request, response)));
  kubeconfig = server.kubeconfig;
  frontend = stack.use(await startTestFrontend({ connectCluster }));
});
after(() => stack.disposeAsync());

/** Creates a cluster on this test's server and stores the kubeconfig that a completed installation would provide. */
async function finishedCluster(): Promise<ClusterAddress> {
  const address = await newCluster(frontend);
  const { clusters } = frontend.database.collections;
  const stored = await storedCluster(frontend.database, address);
  const { openShiftCluster } = stored.document;
  const aroServiceKubeconfig = new Secret(kubeconfig);
  const properties = { ...openShiftCluster.properties, aroServiceKubeconfig };
  const changed = { ...stored.document, openShiftCluster: { ...openShiftCluster, properties } };
  await frontend.database.commit(address.subscriptionId, [replace(clusters, stored, changed)], { signal });
  return address;
}

/** Response with 300,000 distinct field names in a field that the service reads. */
const bomb = `{"apiVersion":"v1","kind":"ClusterVersion","metadata":{"name":"version"},"status":{"desired":[${Array.from(
  { length: 300_000 },
  (_, at) => `{"k${at}":0}`,
)}]},"items":[]}`;

describe("large responses of a cluster", () => {
  test("GET responds with 200 and the stored values, and the limit is counted", async () => {
    const address = await finishedCluster();
    const { document } = await storedCluster(frontend.database, address);
    handle = (_request, response) => response.end(bomb);
    const { status, json } = await frontend.client.get(address.url);
    assert.equal(status, 200);
    const { clusterProfile } = document.openShiftCluster.properties;
    assert.equal(Object(json.properties).clusterProfile.version, clusterProfile.version);
    const exceeded = responses.exceededBy(document.openShiftCluster.id);
    assert.ok(
      exceeded.some(({ reader }) => reader === "frontend"),
      JSON.stringify(exceeded),
    );
  });

  test("four times the largest supported cluster is within the limits", async () => {
    const size = largestCluster(4);
    const { document } = await storedCluster(frontend.database, await finishedCluster());
    handle = largeCluster(size);
    await using context = connectCluster(document, { logger: silentLogger, signal, reader: liveReader });
    const live = await readLiveProfiles(context.kube(), document.openShiftCluster, signal);
    assert.equal(live.workerProfilesStatus?.length, size.machinesets);
  });
});
