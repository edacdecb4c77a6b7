import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  arrayAt,
  atOnce,
  type KubeObject,
  type ResourceRef,
  recordAt,
  requestBudget,
  valueAt,
} from "@keelson/apimachinery";
import { parseRule } from "../auth/policy-rule.ts";
import { missingRights } from "../auth/rule-coverage.ts";
import { createObject } from "../registry/create.ts";
import { type RegistryContext, timestamp } from "../resources/registry-context.ts";
import { keyOf } from "../resources/served-resource.ts";
import type { WriteOutcome } from "../storage/revision-store.ts";
import { bootstrapPolicy } from "./bootstrap-rbac.ts";
import { systemPriorityClasses } from "./system-priority-classes.ts";

const namespaces: ResourceRef = { group: "", version: "v1", resource: "namespaces" };
const authenticationConfig = "extension-apiserver-authentication";
const priorityClasses = "scheduling.k8s.io/priorityclasses";
const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

/**
 * Creates the initial objects of a cluster. These objects are namespaces, default roles and bindings, system priority classes,
 * and the CA bundle (PEM) for delegated authentication. Repeated calls restore missing rules and subjects of objects with the
 * annotation `autoupdate: true`.
 */
export async function bootstrapCluster(context: RegistryContext, clientAuthorities: string): Promise<void> {
  const { store, directory } = context;
  const namespace = directory.get(namespaces);
  const created = ["default", "kube-system", "kube-public", "kube-node-lease"]
    .filter((name) => !store.get(namespace.bucket, name))
    .map((name) =>
      createObject(context, namespace, undefined, {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name },
      }),
    );
  const now = timestamp(context.clock);
  const policy = bootstrapPolicy().map((object) => ensure(context, object, now));
  const priorities = systemPriorityClasses.map((object) => ensurePriorityClass(context, object, now));
  await Promise.all([...created, ...policy, ...priorities, publishAuthorities(context, clientAuthorities)]);
}

/** Writes the ConfigMap for delegated authentication (K/apiserver pkg/server/options). */
async function publishAuthorities({ store, clock }: RegistryContext, authorities: string): Promise<void> {
  const namespace = "kube-system";
  const key = keyOf(namespace, authenticationConfig);
  const stored = store.get("/configmaps", key);
  const data = { ...recordAt(stored?.object, "data"), "client-ca-file": authorities };
  if (stored && isDeepStrictEqual(stored.object.data, data)) return;
  const added = {
    name: authenticationConfig,
    namespace,
    uid: randomUUID(),
    creationTimestamp: timestamp(clock),
  };
  const object = stored?.object ?? { apiVersion: "v1", kind: "ConfigMap", metadata: added };
  await written(store.put("/configmaps", key, stored?.revision ?? 0, { ...object, data }));
}

async function ensurePriorityClass(
  { store }: RegistryContext,
  wanted: KubeObject,
  now: string,
): Promise<void> {
  const { name } = wanted.metadata;
  if (store.get(priorityClasses, name)) return;
  const added = { uid: randomUUID(), generation: 1, creationTimestamp: now };
  await written(
    store.put(priorityClasses, name, 0, { ...wanted, metadata: { ...added, ...wanted.metadata } }),
  );
}

/**
 * Creates a role or binding, or adds its missing rules or subjects. Skips validation for speed, because thousands of clusters
 * start with the same objects.
 */
async function ensure({ store }: RegistryContext, wanted: KubeObject, now: string): Promise<void> {
  const { name, namespace } = wanted.metadata;
  const bucket = `rbac.authorization.k8s.io/${wanted.kind.toLowerCase()}s`;
  const key = keyOf(namespace, name);
  const stored = store.get(bucket, key);
  if (!stored) {
    const added = { uid: randomUUID(), creationTimestamp: now };
    await written(store.put(bucket, key, 0, { ...wanted, metadata: { ...added, ...wanted.metadata } }));
    return;
  }
  const member = wanted.kind.endsWith("Binding") ? "subjects" : "rules";
  // Usually nothing changed. Comparing the serialized bytes avoids parsing the object.
  if (stored.bytes.includes(JSON.stringify(wanted[member]))) return;
  const current = stored.object;
  const isAggregated = valueAt(current, "aggregationRule") !== undefined;
  if (isAggregated || current.metadata.annotations?.[autoUpdate] !== "true") return;
  const missing = member === "rules" ? missingRules(current, wanted) : missingSubjects(current, wanted);
  if (missing.length === 0) return;
  const added = { ...current, [member]: [...arrayAt(current, member), ...missing] };
  await written(store.put(bucket, key, stored.revision, added));
}

/** Resolves when the write is durable. On a conflict, the concurrent write remains. */
async function written(outcome: WriteOutcome): Promise<void> {
  if (outcome.kind === "written") await outcome.durable;
}

function missingRules(current: KubeObject, wanted: KubeObject): readonly unknown[] {
  const held = arrayAt(current, "rules").map(parseRule);
  const isMissing = (rule: unknown) =>
    atOnce(missingRights(held, [parseRule(rule)], requestBudget())).length > 0;
  return arrayAt(wanted, "rules").filter(isMissing);
}

function missingSubjects(current: KubeObject, wanted: KubeObject): readonly unknown[] {
  const known = arrayAt(current, "subjects");
  return arrayAt(wanted, "subjects").filter(
    (subject) => !known.some((each) => isDeepStrictEqual(each, subject)),
  );
}
