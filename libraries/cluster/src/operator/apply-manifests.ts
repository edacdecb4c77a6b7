import type { Manifest } from "@keelson/aro-api";
import { isPlainObject, stringAt } from "@keelson/base";
import { conditionStatus, type KubeObject, resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";

const definitionPauseMs = 100;
/** Time limit in ms for the wait until a new kind is served. The limit starts again when the CustomResourceDefinition changes. */
const definitionLimitMs = 300_000;

/**
 * Creates or updates objects sequentially. After each CRD, waits until the API server serves the new kind. Does not change
 * fields, labels and owners that were set by other clients. An object without differences is not written.
 */
export async function applyManifests(context: ClusterContext, manifests: readonly Manifest[]): Promise<void> {
  for (const { resource, object } of manifests) {
    if (isPlainObject(object.roleRef)) await removeBindingOfAnotherRole(context, { resource, object });
    await context.kube().ensure(resource, object, context.signal);
    if (resource === resources.customResourceDefinitions) await definitionServed(context, object);
  }
}

/**
 * Deletes a binding that refers to a different role, because the role of an existing binding is immutable. For example, in
 * earlier releases, the binding of the service account `aro-operator-master` referred to cluster-admin.
 */
async function removeBindingOfAnotherRole(
  { kube, signal }: ClusterContext,
  { resource, object }: Manifest,
): Promise<void> {
  const live = await kube().find(resource, object.metadata, signal);
  const differs = (member: string) =>
    stringAt(live, "roleRef", member) !== stringAt(object, "roleRef", member);
  if (live && (differs("kind") || differs("name"))) await kube().delete(resource, object.metadata, signal);
}

async function definitionServed(context: ClusterContext, { metadata: { name } }: KubeObject): Promise<void> {
  let changedMs = context.clock.monotonicMs();
  let version: string | undefined;
  for (;;) {
    const live = await context.kube().find(resources.customResourceDefinitions, { name }, context.signal);
    if (conditionStatus(live, "Established") === "True" && conditionStatus(live, "NamesAccepted") === "True")
      return;
    const nowMs = context.clock.monotonicMs();
    if (live?.metadata.resourceVersion !== version) changedMs = nowMs;
    version = live?.metadata.resourceVersion;
    if (nowMs - changedMs > definitionLimitMs)
      throw new Error(
        `the definition ${name} is not served within ${definitionLimitMs / 1_000} s. See its conditions for the cause.`,
      );
    await context.clock.sleep(definitionPauseMs, context.signal);
  }
}
