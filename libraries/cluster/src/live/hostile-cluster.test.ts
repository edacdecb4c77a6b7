import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeClient, KubeObject, KubeResource, ObjectKey } from "@keelson/kube";
import { newCluster } from "@keelson/model/testing";
import { readLiveProfiles } from "./live-profiles.ts";
import { workerProfileOf } from "./worker-profiles.ts";

const signal = AbortSignal.timeout(900_000);
const cluster = newCluster({ name: "demo", state: "Succeeded" });

/** A cluster whose administrators have written these objects, by the plural of their resource. */
function clusterWith(
  objects: Readonly<Record<string, readonly KubeObject[]>>,
): Pick<KubeClient, "list" | "find"> {
  return {
    list: async <T extends KubeObject>({ plural }: KubeResource<T>) => ({
      items: (objects[plural] ?? []) as readonly T[],
      resourceVersion: "1",
    }),
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

test("ingress profiles are so many as a cluster can have, and their addresses are some", async () => {
  const controllers = Array.from({ length: 300 }, (_, index) => object("IngressController", `c${index}`, {}));
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
});

test("worker profiles are so many as a cluster can have", async () => {
  const sets = Array.from({ length: 700 }, (_, index) => object("MachineSet", `set${index}`, {}));
  const { workerProfilesStatus } = await readLiveProfiles(
    clusterWith({ machinesets: sets }),
    cluster,
    signal,
  );
  assert.equal(workerProfilesStatus?.length, 500);
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
