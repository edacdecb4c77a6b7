import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type KubeClient,
  KubeError,
  type KubeObject,
  type KubeResource,
  type ListSelection,
  type ObjectKey,
} from "@keelson/kube";
import { newCluster } from "@keelson/model/testing";
import { readLiveProfiles } from "./live-profiles.ts";
import { workerProfileOf } from "./worker-profiles.ts";

const signal = AbortSignal.timeout(900_000);
const cluster = newCluster({ name: "demo", state: "Succeeded" });

/**
 * Returns a cluster with arbitrary objects, as its administrators could create them. `objects` is keyed by plural resource name.
 */
function clusterWith(
  objects: Readonly<Record<string, readonly KubeObject[]>>,
): Pick<KubeClient, "list" | "find"> {
  return {
    list: async <T extends KubeObject>({ plural }: KubeResource<T>, { maxObjects = 0 }: ListSelection) => {
      const items = (objects[plural] ?? []) as readonly T[];
      if (items.length > maxObjects) throw new KubeError(0, "TooLarge", plural, { limit: "objects" });
      return { items, resourceVersion: "1" };
    },
    find: async <T extends KubeObject>({ plural }: KubeResource<T>, { name }: ObjectKey) =>
      objects[plural]?.find(({ metadata }) => metadata.name === name) as T | undefined,
  };
}

const object = (kind: string, name: string, members: object): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name },
  ...members,
});
const version = (text: unknown) => ({
  clusterversions: [object("ClusterVersion", "version", { status: { desired: { version: text } } })],
});

for (const [text, accepted] of [
  ["4.19.2", true],
  ["4.19.0-0.nightly-2026-11-01-123456", true],
  ["4.20.0-rc.1+abc", true],
  ["", false],
  ["4.19", false],
  [`4.19.2-${"9".repeat(101)}`, false],
  ["4.19.2\n", false],
  ["4.19.2 <script>", false],
  ["x".repeat(1_000_000), false],
  [7, false],
] as const) {
  test(`the version ${JSON.stringify(text).slice(0, 40)} is ${accepted ? "" : "not "}shown`, async () => {
    const { version: shown } = await readLiveProfiles(clusterWith(version(text)), cluster, signal);
    assert.equal(shown, accepted ? text : undefined);
  });
}

test("ingress profiles have addresses only, and are as stored for more controllers than a cluster can have", async () => {
  const controllers = Array.from({ length: 100 }, (_, index) => object("IngressController", `c${index}`, {}));
  const service = {
    ...object("Service", "router", { status: { loadBalancer: { ingress: [{ ip: "x".repeat(100_000) }] } } }),
    metadata: {
      name: "router",
      labels: { "ingresscontroller.operator.openshift.io/owning-ingresscontroller": "c0" },
    },
  };
  const kube = clusterWith({ ingresscontrollers: controllers, services: [service] });
  const { ingressProfiles = [] } = await readLiveProfiles(kube, cluster, signal);
  assert.equal(ingressProfiles.length, 100);
  const profile = ingressProfiles.find(({ name }) => name === "c0");
  assert.ok(profile && profile.ip === undefined);
  const more = clusterWith({ ...version("4.19.2"), ingresscontrollers: [...controllers, ...controllers] });
  const { ingressProfiles: none, version: shown } = await readLiveProfiles(more, cluster, signal);
  assert.deepEqual([none, shown], [undefined, "4.19.2"]);
});

test("worker profiles are as stored for more MachineSets than a cluster can have", async () => {
  const sets = Array.from({ length: 8_001 }, (_, index) => object("MachineSet", `set${index}`, {}));
  const read = (machinesets: readonly KubeObject[]) =>
    readLiveProfiles(clusterWith({ machinesets }), cluster, signal);
  assert.equal((await read(sets.slice(1))).workerProfilesStatus?.length, 8_000);
  assert.equal((await read(sets)).workerProfilesStatus, undefined);
});

test("what no machine can have is not taken from a MachineSet", () => {
  const long = "x".repeat(100_000);
  const value = {
    vmSize: long,
    osDisk: { diskSizeGB: Number.MAX_VALUE, managedDisk: { diskEncryptionSet: { id: `/${long}` } } },
    networkResourceGroup: "../other",
    vnet: "a/b",
    subnet: "\u0000",
  };
  const spec = { replicas: -1, template: { spec: { providerSpec: { value } } } };
  const shown = workerProfileOf(cluster, object("MachineSet", "set", { spec }));
  const usual = workerProfileOf(cluster, object("MachineSet", "set", {}));
  assert.deepEqual(shown, usual);
});
