import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ConnectCluster } from "@keelson/admin-actions";
import { addKinds, type SimulatedCluster, startSimulatedCluster } from "@keelson/admin-actions/testing";
import { Secret } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { replace } from "@keelson/database";
import { type KubeObject, resources } from "@keelson/kube";
import { type ClusterAddress, clusterBody } from "../testing/cluster-request.ts";
import { newCluster } from "../testing/clusters.ts";
import { storedCluster, succeed } from "../testing/fake-worker.ts";
import type { TestResponse } from "../testing/test-client.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = AbortSignal.timeout(900_000);
const clock = new ManualClock(new Date());
const machines = "openshift-machine-api";
const started = new AsyncDisposableStack();
let simulated: SimulatedCluster;
let frontend: TestFrontend;
let address: ClusterAddress;
/** Number of reads of the cluster. The cache calls `connect` before each read. */
let asked = 0;
let connect: ConnectCluster;

before(async () => {
  simulated = started.use(await startSimulatedCluster());
  connect = simulated.connect;
  frontend = started.use(
    await startTestFrontend({
      clock,
      connectCluster: (document, options) => {
        asked++;
        return connect(document, options);
      },
    }),
  );
  await using context = simulated.context();
  const kube = context.kube();
  const { clusterVersions, machineSets, ingressControllers, namespaces } = resources;
  await addKinds(kube, [clusterVersions, machineSets, ingressControllers], signal);
  for (const name of [machines, "openshift-ingress-operator", "openshift-ingress"]) {
    await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } }, signal);
  }
  await kube.create(clusterVersions, versionOf("4.19.2"), signal);
  await kube.create(machineSets, workers("demo-worker-1", 2), signal);
  await kube.create(ingressControllers, router("default", {}), signal);
  address = await standing();
});
after(() => started.disposeAsync());

/** Creates a cluster with a finished creation and the simulated API server. */
async function standing(): Promise<ClusterAddress> {
  const made = await newCluster(frontend);
  const { clusters } = frontend.database.collections;
  const stored = await storedCluster(frontend.database, made);
  const { openShiftCluster } = stored.document;
  const aroServiceKubeconfig = new Secret(simulated.kubeconfig);
  const properties = { ...openShiftCluster.properties, aroServiceKubeconfig };
  const changed = { ...stored.document, openShiftCluster: { ...openShiftCluster, properties } };
  await frontend.database.commit(made.subscriptionId, [replace(clusters, stored, changed)], { signal });
  return made;
}

const versionOf = (version: string): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterVersion",
  metadata: { name: "version" },
  spec: {},
  status: { desired: { version } },
});

const workers = (name: string, replicas: number, role = "worker"): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "MachineSet",
  metadata: { name, namespace: machines },
  spec: {
    replicas,
    template: {
      metadata: { labels: { "machine.openshift.io/cluster-api-machine-role": role } },
      spec: { providerSpec: { value: { vmSize: "Standard_D16s_v3", osDisk: { diskSizeGB: 256 } } } },
    },
  },
});

const router = (name: string, spec: object): KubeObject => ({
  apiVersion: "operator.openshift.io/v1",
  kind: "IngressController",
  metadata: { name, namespace: "openshift-ingress-operator" },
  spec,
});

const internal = { endpointPublishingStrategy: { type: "x", loadBalancer: { scope: "Internal" } } };
const seen = ({ json }: TestResponse) => {
  const { clusterProfile, workerProfilesStatus, ingressProfiles } = Object(json.properties);
  return { version: clusterProfile.version, workers: workerProfilesStatus, routers: ingressProfiles };
};
const look = async () => seen(await frontend.client.get(address.url));
const stored = async () =>
  (await storedCluster(frontend.database, address)).document.openShiftCluster.properties;

test("changes by a cluster's own administrators appear in reads and lists, and are not stored", async () => {
  const before = await look();
  assert.equal(before.version, "4.19.2");
  assert.deepEqual(
    [before.workers.length, before.workers[0].count, before.workers[0].vmSize],
    [1, 2, "Standard_D16s_v3"],
  );
  assert.deepEqual(before.routers, [{ name: "default", visibility: "Public" }]);
  await using context = simulated.context();
  const kube = context.kube();
  await kube.mergePatch(
    resources.clusterVersions,
    { name: "version" },
    { status: { desired: { version: "4.19.9" } } },
    signal,
  );
  await kube.mergePatch(
    resources.machineSets,
    { namespace: machines, name: "demo-worker-1" },
    { spec: { replicas: 5 } },
    signal,
  );
  await kube.create(resources.machineSets, workers("demo-infra", 1, "infra"), signal);
  await kube.create(resources.ingressControllers, router("apps", internal), signal);
  await clock.advance(5_000);
  const now = await look();
  assert.equal(now.version, "4.19.9");
  assert.deepEqual(
    now.workers.map((each: object) => [Reflect.get(each, "name"), Reflect.get(each, "count")]),
    [
      ["demo-infra", 1],
      ["demo-worker-1", 5],
    ],
  );
  assert.deepEqual(now.routers, [
    { name: "apps", visibility: "Private" },
    { name: "default", visibility: "Public" },
  ]);
  const list = await frontend.client.get(
    address.url.replace(/\/openShiftClusters\/[^?]+/, "/openShiftClusters"),
  );
  const members: unknown = list.json.value;
  assert.ok(Array.isArray(members));
  assert.deepEqual(seen({ ...list, json: members[0] }), now);
  const { clusterProfile, workerProfilesStatus = [] } = await stored();
  assert.deepEqual([clusterProfile.version, workerProfilesStatus.length], ["4.19.2", 0]);
});

test("an update starts from the current cluster: PUT accepts the result of GET, and its version is stored", async () => {
  const { json } = await frontend.client.get(address.url);
  const { clusterProfile, ingressProfiles } = Object(json.properties);
  const { properties, ...body } = clusterBody(address);
  const repeated = {
    ...properties,
    clusterProfile,
    ingressProfiles,
    networkProfile: Object(json.properties).networkProfile,
  };
  const put = await frontend.client.put(address.url, { ...body, properties: repeated });
  assert.equal(put.status, 200, put.text);
  assert.deepEqual(seen(put), { ...(await look()), workers: undefined });
  const now = await stored();
  assert.equal(now.clusterProfile.version, "4.19.9");
  assert.deepEqual(
    now.ingressProfiles.map(({ name }) => name),
    ["default"],
  );
  assert.equal(now.workerProfilesStatus, undefined);
  await succeed(frontend.database, address);
});

test("an unresponsive cluster is shown in its last known state, and not read for a while", async () => {
  const known = await look();
  const never = await standing();
  await clock.advance(30_000);
  connect = () => {
    throw new Error("unreachable");
  };
  asked = 0;
  for (let i = 0; i < 3; i++) assert.deepEqual(await look(), known);
  assert.equal(asked, 1);
  const fresh = seen(await frontend.client.get(never.url));
  assert.deepEqual([fresh.version, fresh.workers], ["4.19.2", undefined]);
  await clock.advance(30_000);
  await look();
  assert.equal(asked, 3);
  connect = simulated.connect;
});

test("a cluster that is being deleted is not read", async () => {
  const going = await standing();
  assert.equal((await frontend.client.delete(going.url)).status, 202);
  asked = 0;
  assert.equal((await frontend.client.get(going.url)).status, 200);
  assert.equal(asked, 0);
});
