import { failures, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { type RegistryContext, timestampAt, type WriteOptions } from "../resources/registry-context.ts";
import { type ServedResource, subjectOf } from "../resources/served-resource.ts";
import { encodeObject, type StoredObject } from "../storage/stored-object.ts";
import { admissionOptions } from "./admit.ts";
import { deletedGeneration } from "./generation.ts";
import { isFinished } from "./modify.ts";
import { isPresentable, prepare, present, toStored } from "./present.ts";
import { getObject } from "./read.ts";
import { strategyFor } from "./strategy.ts";

export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

/** Options of a deletion (meta/v1 DeleteOptions) and the requesting user. */
export interface RemoveOptions extends Pick<WriteOptions, "dryRun" | "user" | "given" | "warn" | "admitted"> {
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly preconditions?: {
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
  /** Grace period of a pod in seconds. 0 removes the pod immediately. The kubelet uses 0 when the pod has stopped. */
  readonly gracePeriodSeconds?: number;
}

/**
 * Result of a deletion. `gone`: the object is removed, and `stored` is its last state. `terminating`: finalizers or the grace
 * period delay the removal.
 */
export interface Removal {
  readonly kind: "gone" | "terminating";
  readonly stored: StoredObject;
}

/** Error messages for objects that cannot be deleted, by bucket and name. */
const undeletable: ReadonlyMap<string, string> = new Map([
  ...["default", "kube-system", "kube-public"].map(
    (name) => [`/namespaces ${name}`, "this namespace may not be deleted"] as const,
  ),
  ...["system-cluster-critical", "system-node-critical"].map(
    (name) =>
      [
        `scheduling.k8s.io/priorityclasses ${name}`,
        "this is a system priority class and cannot be deleted",
      ] as const,
  ),
]);

/** Maximum number of attempts. An attempt fails if a different write changes the object during admission. */
const maxAttempts = 100;
const defaultGraceSeconds = 30;
const pods = "/pods";

/**
 * Deletes an object. If finalizers or the pod's kubelet delay the removal, marks the object for deletion.
 * @throws StatusError 403, 404, 409
 */
export async function removeObject(
  context: RegistryContext,
  resource: ServedResource,
  key: string,
  options: RemoveOptions = {},
): Promise<Removal> {
  const { store, admission } = context;
  for (let attempt = 1; ; attempt++) {
    const stored = getObject(context, resource, key);
    if (!isPresentable(resource, stored)) await prepare(context, resource, [stored]);
    const { object } = resource.custom ? present(resource, stored) : stored;
    const forbidden = undeletable.get(`${resource.bucket} ${key}`);
    if (forbidden) throw failures.forbidden(subjectOf(resource), key, forbidden);
    checkPreconditions(resource, object, options);
    const request: AdmissionRequest = {
      operation: "DELETE",
      resource,
      namespace: object.metadata.namespace,
      name: object.metadata.name,
      object: undefined,
      oldObject: present(resource, stored).object,
      ...admissionOptions(options),
    };
    if (!options.admitted && admission.handles(request)) {
      await admission.mutate(request);
      await admission.validate(request);
    }
    const marked = markedForDeletion(context, resource, object, options);
    const kind = isFinished(marked) ? "gone" : "terminating";
    const isGraceful = resource.bucket === pods;
    if (options.dryRun) {
      const shown = present(resource, stored);
      if (kind === "gone" && !isGraceful) return { kind, stored: shown };
      const wouldBe = markedForDeletion(context, resource, shown.object, options);
      return { kind, stored: encodeObject(key, stored.revision, wouldBe) };
    }
    if (kind === "terminating" && marked === object) {
      await store.settled();
      return { kind, stored: present(resource, stored) };
    }
    const body =
      kind === "terminating" && resource.custom ? await toStored(context, resource, marked) : marked;
    const outcome =
      kind === "gone"
        ? store.remove(resource.bucket, key, stored.revision)
        : store.put(resource.bucket, key, stored.revision, body);
    if (outcome.kind === "written") {
      await outcome.durable;
      // The response for an object with a grace period contains the object marked for deletion.
      if (kind === "gone" && isGraceful) {
        return { kind, stored: encodeObject(key, outcome.stored.revision, marked) };
      }
      await prepare(context, resource, [outcome.stored]);
      return { kind, stored: present(resource, outcome.stored) };
    }
    if (attempt === maxAttempts) throw failures.modified(subjectOf(resource), object.metadata.name);
  }
}

function checkPreconditions(
  resource: ServedResource,
  { metadata }: KubeObject,
  { preconditions }: RemoveOptions,
): void {
  const uid = preconditions?.uid;
  const resourceVersion = preconditions?.resourceVersion;
  // Unlike other conflicts, this conflict contains the kind instead of the plural name of the resource in its details.
  const subject = { group: resource.type.group, resource: resource.type.kind };
  if (uid && uid !== metadata.uid) {
    const why =
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). ` +
      "The object might have been deleted and then recreated";
    throw failures.conflict(subject, metadata.name, why);
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    const why =
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record ` +
      `(${metadata.resourceVersion}). The object might have been modified`;
    throw failures.conflict(subject, metadata.name, why);
  }
}

/**
 * Marks an object for deletion. Returns `object` itself if the deletion changes nothing, because an earlier deletion has already
 * marked the object.
 */
function markedForDeletion(
  context: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
  { propagationPolicy: policy, gracePeriodSeconds }: RemoveOptions,
): KubeObject {
  const { metadata } = object;
  const stop = stopOf(context, resource, object, gracePeriodSeconds);
  if (!stop) return object;
  const { markDeleted, terminating } = strategyFor(resource.bucket);
  if (markDeleted && !metadata.deletionTimestamp) return markDeleted(object, stop.at);
  const kept = (metadata.finalizers ?? []).filter(
    (each) => policy === undefined || (each !== "orphan" && each !== "foregroundDeletion"),
  );
  const wanted = policy === "Orphan" ? ["orphan"] : policy === "Foreground" ? ["foregroundDeletion"] : [];
  const finalizers = [...new Set([...kept, ...wanted])];
  const unchanged = finalizers.join() === (metadata.finalizers ?? []).join();
  if (metadata.deletionTimestamp && unchanged && stop.period === (metadata.deletionGracePeriodSeconds ?? 0)) {
    return object;
  }
  const { finalizers: _, ...rest } = metadata;
  const marked: KubeObject = {
    ...object,
    metadata: {
      ...rest,
      ...(finalizers.length > 0 ? { finalizers } : {}),
      deletionTimestamp: stop.at,
      deletionGracePeriodSeconds: stop.period,
      ...(metadata.deletionTimestamp ? {} : deletedGeneration(resource, object)),
    },
  };
  return terminating?.(marked) ?? marked;
}

/** Grace period in seconds, and the time at which it ends (RFC 3339). */
interface Stop {
  readonly period: number;
  readonly at: string;
}

/**
 * Computes the grace period. Returns undefined if the grace period of an earlier deletion is equal or shorter.
 * @see kubernetes/apiserver pkg/registry/rest/delete.go (BeforeDelete)
 */
function stopOf(
  context: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
  given: number | undefined,
): Stop | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds: current = 0 } = object.metadata;
  const now = context.clock.now().getTime();
  const at = (time: number) => timestampAt(new Date(time));
  const asked = given !== undefined && given < 0 ? 1 : given;
  if (!deletionTimestamp) {
    const period = firstPeriod(context, resource, object, asked);
    return { period, at: at(now + 1_000 * period) };
  }
  if (current === 0) return { period: 0, at: deletionTimestamp };
  if (asked === undefined || asked >= current) return undefined;
  const sooner = Date.parse(deletionTimestamp) - 1_000 * (current - asked);
  if (sooner >= now) return { period: asked, at: at(sooner) };
  // The new grace period has already expired, but the kubelet has not confirmed that the pod stopped.
  return { period: Math.min(asked, 1), at: at(now) };
}

/** Returns the grace period of a pod's first deletion, in seconds. Returns 0 for pods that are not running on a node. */
function firstPeriod(
  { stopsPods }: RegistryContext,
  { bucket }: ServedResource,
  object: KubeObject,
  asked: number | undefined,
): number {
  if (bucket !== pods || !scalarStringAt(object, "spec", "nodeName") || !stopsPods()) return 0;
  const phase = scalarStringAt(object, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed") return 0;
  const own = valueAt(object, "spec", "terminationGracePeriodSeconds");
  const usual = typeof own === "number" ? own : defaultGraceSeconds;
  return asked ?? (usual < 0 ? 1 : usual);
}
