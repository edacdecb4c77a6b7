import assert from "node:assert/strict";
import { test } from "node:test";
import { type KubeObject, resources } from "@keelson/kube";
import { latestReady, planRevision, readyAnnotation } from "./plan-revision.ts";

const sources = {
  configMaps: [{ name: "pod" }, { name: "auth", optional: true }],
  secrets: [{ name: "client" }, { name: "encryption", optional: true }],
};
const current = { pod: "p", client: "c", "pod-3": "p", "client-3": "c" };

/** Plans a revision. `objects` contains the data value of each ConfigMap and Secret by name. */
function planOf(objects: Readonly<Record<string, string | undefined>>) {
  return planRevision(sources, 3, (resource, name) => {
    const isSecret = name.startsWith("client") || name.startsWith("encryption");
    const value = objects[name];
    if (value === undefined || isSecret !== (resource === resources.secrets)) return undefined;
    const { kind } = resource;
    const labels = { note: name };
    return {
      apiVersion: "v1",
      kind,
      metadata: { name, labels },
      ...(value === "" ? {} : { data: { value } }),
    };
  });
}

const cases: readonly {
  readonly name: string;
  readonly objects: Readonly<Record<string, string | undefined>>;
  readonly plan: ReturnType<typeof planRevision>;
}[] = [
  { name: "nothing differs but labels", objects: current, plan: { kind: "upToDate" } },
  {
    name: "data differs",
    objects: { ...current, pod: "new" },
    plan: { kind: "changed", reason: "required configmap/pod has changed" },
  },
  {
    name: "Secrets and ConfigMaps differ",
    objects: { ...current, pod: "new", client: "new", encryption: "e" },
    plan: {
      kind: "changed",
      reason:
        "required secret/client has changed,optional secret/encryption has been created,required configmap/pod has changed",
    },
  },
  {
    name: "an optional source is gone",
    objects: { ...current, "auth-3": "a" },
    plan: { kind: "changed", reason: "optional configmap/auth has changed" },
  },
  {
    name: "an optional source without data came",
    objects: { ...current, auth: "" },
    plan: { kind: "upToDate" },
  },
  {
    name: "a copy is gone",
    objects: { ...current, "client-3": undefined },
    plan: { kind: "changed", reason: 'secret "client-3" not found' },
  },
  {
    name: "a required source is gone",
    objects: { ...current, client: undefined },
    plan: { kind: "incomplete", missing: 'secret "client" not found' },
  },
];
for (const { name, objects, plan } of cases)
  test(`when ${name}: ${plan.kind}`, () => assert.deepEqual(planOf(objects), plan));

test("only revisions that are ready count, by number", () => {
  const status = (name: string, ready: string): KubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, annotations: { [readyAnnotation]: ready } },
  });
  const names = ["revision-status-2", "revision-status-10", "revision-status-x", "other-12"];
  assert.equal(
    latestReady([...names.map((name) => status(name, "true")), status("revision-status-11", "false")]),
    10,
  );
  assert.equal(latestReady([]), 0);
});
