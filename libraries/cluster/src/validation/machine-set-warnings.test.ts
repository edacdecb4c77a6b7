import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { CloudErrorBody } from "@keelson/arm";
import type { KubeClient, KubeObject } from "@keelson/kube";
import type { OpenShiftCluster } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { servicePrincipalOf } from "../credentials/service-principal.ts";
import { contextOf } from "../testing/context.ts";
import { networkGroup, startWorld, type World } from "../testing/world.ts";
import { warnAboutMachineSets } from "./machine-set-warnings.ts";
import { principalSubject } from "./subject.ts";

let world: World;
let cluster: OpenShiftCluster;
before(async () => {
  world = await startWorld();
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  cluster = newCluster({
    name: "demo",
    subscriptionId: world.subscriptionId,
    principal,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  });
  await world.subnet("more", "10.0.2.0/24");
  await world.subnet("tiny", "10.0.3.0/28");
});
after(() => world[Symbol.asyncDispose]());

const set = (name: string, value: object, replicas = 0): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "MachineSet",
  metadata: { name },
  spec: {
    replicas,
    template: {
      metadata: { labels: { "machine.openshift.io/cluster-api-machine-role": "worker" } },
      spec: { providerSpec: { value: { vnet: "vnet", networkResourceGroup: networkGroup, ...value } } },
    },
  },
});

const diskKeys = (name: string) =>
  `/subscriptions/${world.subscriptionId}/resourceGroups/${networkGroup}/providers/Microsoft.Compute/diskEncryptionSets/${name}`;
const withDisk = (id: string) => ({
  subnet: "worker",
  osDisk: { managedDisk: { diskEncryptionSet: { id } } },
});

async function warningsOf(list: () => Promise<readonly KubeObject[]>): Promise<readonly CloudErrorBody[]> {
  const warnings: CloudErrorBody[] = [];
  const context: ClusterContext = Object.defineProperties(contextOf(world, cluster), {
    warn: { value: (warning: CloudErrorBody) => warnings.push(warning) },
    kube: { value: () => ({ list: async () => ({ items: await list() }) }) as unknown as KubeClient },
  });
  const principal = servicePrincipalOf(context);
  await warnAboutMachineSets(
    context,
    principalSubject("cluster", context.azureAs(principal), principal.clientId),
  );
  return warnings;
}

test("MachineSets that validate, or are as requested, cause no warning", async () => {
  const sets = [set("worker", { subnet: "worker" }), set("more", { subnet: "more" })];
  assert.deepEqual(await warningsOf(async () => sets), []);
});

test("each MachineSet with a deleted or unsuitable subnet or disk encryption set is a warning with its name", async () => {
  const warnings = await warningsOf(async () => [
    set("deleted", { subnet: "deleted" }),
    set("elsewhere", { subnet: "s", vnet: "gone" }),
    set("tiny", { subnet: "tiny" }),
    set("keys", withDisk(diskKeys("gone"))),
    set("twice", { subnet: "deleted" }),
  ]);
  assert.deepEqual(
    warnings.map(({ code, target }) => [code, target]),
    [
      ["InvalidLinkedVNet", "properties.workerProfilesStatus['deleted']"],
      ["InvalidLinkedVNet", "properties.workerProfilesStatus['elsewhere']"],
      ["InvalidLinkedDiskEncryptionSet", "properties.workerProfilesStatus['keys']"],
      ["InvalidLinkedVNet", "properties.workerProfilesStatus['tiny']"],
    ],
  );
});

test("a cluster that cannot be read, or that has thousands of MachineSets, neither fails nor delays the operation", async () => {
  const unreadable = warningsOf(() => Promise.reject(new Error("connection refused")));
  assert.deepEqual(await unreadable, []);
  const many = Array.from({ length: 3_000 }, (_, index) => set(`s${index}`, { subnet: `deleted-${index}` }));
  assert.equal((await warningsOf(async () => many)).length, 20);
});
