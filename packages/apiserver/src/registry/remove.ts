import type { KubeObject } from "../kube-object.ts";
import { failures } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { rulesOf } from "./kind-rules.ts";
import { isFinished } from "./modify.ts";
import { getObject } from "./read.ts";
import { type RegistryContext, timestamp } from "./registry-context.ts";
import { type ServedResource, subjectOf } from "./served-resource.ts";

export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

/** How to delete (meta/v1 DeleteOptions). */
export interface RemoveOptions {
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly preconditions?: {
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
  readonly dryRun?: boolean;
}

/** `gone`: `stored` is the last state. `terminating`: finalizers hold the object, and `stored` says since when. */
export interface Removal {
  readonly kind: "gone" | "terminating";
  readonly stored: StoredObject;
}

const undeletable: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** Deletes an object, or marks it for deletion while finalizers hold it. @throws StatusError 403, 404, 409 */
export async function removeObject(
  context: RegistryContext,
  resource: ServedResource,
  key: string,
  options: RemoveOptions = {},
): Promise<Removal> {
  const { store } = context;
  const stored = getObject(context, resource, key);
  const { object } = stored;
  if (resource.bucket === "/namespaces" && undeletable.has(key)) {
    throw failures.forbidden(subjectOf(resource), key, "this namespace may not be deleted");
  }
  checkPreconditions(resource, object, options);
  const marked = markedForDeletion(context, resource, object, options.propagationPolicy);
  const finished = isFinished(marked);
  if (options.dryRun) return { kind: finished ? "gone" : "terminating", stored };
  if (!finished && marked === object) {
    await store.settled();
    return { kind: "terminating", stored };
  }
  const outcome = finished
    ? store.remove(resource.bucket, key, stored.revision)
    : store.put(resource.bucket, key, stored.revision, marked);
  if (outcome.kind === "conflict") throw failures.modified(subjectOf(resource), object.metadata.name);
  await outcome.durable;
  return { kind: finished ? "gone" : "terminating", stored: outcome.stored };
}

function checkPreconditions(
  resource: ServedResource,
  { metadata }: KubeObject,
  { preconditions }: RemoveOptions,
): void {
  const uid = preconditions?.uid;
  const resourceVersion = preconditions?.resourceVersion;
  if (uid && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw failures.conflict(subjectOf(resource), metadata.name, why);
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    const why =
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ` +
      `ResourceVersion in object meta: ${metadata.resourceVersion}`;
    throw failures.conflict(subjectOf(resource), metadata.name, why);
  }
}

function markedForDeletion(
  { clock }: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
  policy: PropagationPolicy | undefined,
): KubeObject {
  const { metadata } = object;
  const kept = (metadata.finalizers ?? []).filter(
    (each) => policy === undefined || (each !== "orphan" && each !== "foregroundDeletion"),
  );
  const wanted = policy === "Orphan" ? ["orphan"] : policy === "Foreground" ? ["foregroundDeletion"] : [];
  const finalizers = [...new Set([...kept, ...wanted])];
  const unchanged = finalizers.join() === (metadata.finalizers ?? []).join();
  if (metadata.deletionTimestamp && unchanged) return object;
  const counted = resource.custom !== undefined || rulesOf(resource.bucket).counted === true;
  const { finalizers: _, ...rest } = metadata;
  const marked: KubeObject = {
    ...object,
    metadata: {
      ...rest,
      ...(finalizers.length > 0 ? { finalizers } : {}),
      deletionTimestamp: metadata.deletionTimestamp ?? timestamp(clock),
      deletionGracePeriodSeconds: 0,
      ...(counted && !metadata.deletionTimestamp ? { generation: (metadata.generation ?? 0) + 1 } : {}),
    },
  };
  if (resource.bucket !== "/namespaces") return marked;
  return {
    ...marked,
    status: { ...(typeof object.status === "object" ? object.status : {}), phase: "Terminating" },
  };
}
