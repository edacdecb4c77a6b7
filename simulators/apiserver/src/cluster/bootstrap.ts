import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { KubeObject, ResourceRef } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { createObject } from "../registry/create.ts";
import { type RegistryContext, timestamp } from "../resources/registry-context.ts";
import { keyOf } from "../resources/served-resource.ts";
import { bootstrapPolicy } from "./bootstrap-rbac.ts";
import { reconcilePolicy, written } from "./reconcile-policy.ts";
import { systemPriorityClasses } from "./system-priority-classes.ts";

const namespaces: ResourceRef = { group: "", version: "v1", resource: "namespaces" };
const authenticationConfig = "extension-apiserver-authentication";
const priorityClasses = "scheduling.k8s.io/priorityclasses";

/**
 * Creates the initial objects of a cluster. These objects are namespaces, default roles and bindings, system priority classes,
 * and the CA bundle (PEM) for delegated authentication. Repeated calls restore missing parts of default roles and bindings.
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
  const policy = reconcilePolicy(context, bootstrapPolicy());
  const priorities = systemPriorityClasses.map((object) => ensurePriorityClass(context, object, now));
  await Promise.all([...created, policy, ...priorities, publishAuthorities(context, clientAuthorities)]);
}

/** Writes the ConfigMap for delegated authentication (K/apiserver pkg/server/options). */
async function publishAuthorities({ store, clock }: RegistryContext, authorities: string): Promise<void> {
  const namespace = "kube-system";
  const key = keyOf(namespace, authenticationConfig);
  const stored = store.get("/configmaps", key);
  const data = { ...objectAt(stored?.object, "data"), "client-ca-file": authorities };
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
