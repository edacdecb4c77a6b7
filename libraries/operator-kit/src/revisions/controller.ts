import { numberAt, valueAt } from "@keelson/base";
import { type Controller, done } from "@keelson/controller";
import { apiVersionOf, isConflict, type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { ensureData } from "../objects/managed-data.ts";
import {
  type OperatorParts,
  type OperatorRequest,
  operatorController,
} from "../operator/operator-controller.ts";
import { nodeStatuses } from "../static-pod/node-status.ts";
import { revisionName, type StaticPod, watchSources } from "../static-pod/static-pod.ts";
import {
  copyInRevision,
  type FindSource,
  isReady,
  latestReady,
  planRevision,
  readyAnnotation,
  statusName,
} from "./plan-revision.ts";

export interface RevisionOptions {
  readonly pod: StaticPod;
  /**
   * Returns true if the copies of a revision are consistent. Inconsistent copies are written again before the revision becomes
   * ready.
   */
  readonly isWhole?: (revision: number, api: KubeApi, signal: AbortSignal) => Promise<boolean>;
}

/** Retry interval in ms for inconsistent copies. A watch usually triggers the retry earlier. */
const wholeMs = 5_000;

/**
 * Creates a numbered copy of the static pod's configuration when it differs from the latest revision. A revision is mutable until
 * it is complete, and immutable afterwards. Numbers increase by one and are never reused.
 */
export function revisions<Parts extends OperatorParts>({
  pod,
  isWhole = async () => true,
}: RevisionOptions): Controller<Parts> {
  return operatorController<Parts>(pod.resource, {
    name: "RevisionController",
    degraded: { type: "RevisionControllerDegraded", failed: "SyncError", fine: "AsExpected" },
    watches: watchSources(pod),
    resyncMs: 60_000,
    async reconcile(request) {
      const { configuration, parts, signal } = request;
      const configMaps = parts.cache.informer(resources.configMaps, {
        selection: { namespace: pod.namespace },
      });
      const ready = latestReady(configMaps.list());
      const known = numberAt(configuration, "status", "latestAvailableRevision") ?? 0;
      if (ready > known) {
        await publish(request, ready);
        return done;
      }
      // Node statuses also contain revision numbers. They are compared too, so that the number of a deleted revision is not
      // reused.
      const latest = Math.max(known, ...nodeStatuses(configuration).flatMap(revisionsOf));
      const find: FindSource = (resource, name) =>
        parts.cache.find(resource, { namespace: pod.namespace, name });
      const plan = planRevision(pod.revisioned, latest, find);
      if (plan.kind === "upToDate") return done;
      if (plan.kind === "incomplete") throw new Error(plan.missing);
      const next = latest + 1;
      const message = `new revision ${next} triggered by ${JSON.stringify(plan.reason)}`;
      const status = await beginRevision(pod, request, next, plan.reason, message);
      // A second process has created the revision and the cache is stale. The watch will deliver the new revision.
      if (isReady(status)) return done;
      await copySources(pod, request, next, status, find);
      if (!(await isWhole(next, parts.api, signal))) return { requeueAfterMs: wholeMs };
      const { name } = status.metadata;
      const readiness = { metadata: { annotations: { [readyAnnotation]: "true" } } };
      await parts.api.mergePatch(resources.configMaps, { namespace: pod.namespace, name }, readiness, signal);
      parts.events.report({ type: "Normal", reason: "RevisionTriggered", message });
      await publish(request, next);
      return done;
    },
  });
}

function revisionsOf({
  currentRevision,
  targetRevision,
  lastFailedRevision,
}: ReturnType<typeof nodeStatuses>[number]) {
  return [currentRevision, targetRevision, lastFailedRevision];
}

/** Returns the existing `revision-status-N` or creates it. An incomplete revision is resumed. */
async function beginRevision(
  pod: StaticPod,
  { parts, signal }: OperatorRequest<OperatorParts>,
  revision: number,
  reason: string,
  message: string,
): Promise<KubeObject> {
  const resource = resources.configMaps;
  const key = { namespace: pod.namespace, name: revisionName(statusName, revision) };
  const found = await parts.api.find(resource, key, signal);
  if (found) return found;
  parts.events.report({ type: "Normal", reason: "StartingNewRevision", message });
  const object = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      ...key,
      annotations: { [readyAnnotation]: "false" },
      labels: {
        "operator.openshift.io/controller-instance-name": parts.operator.fieldManager("RevisionController"),
      },
    },
    data: { revision: `${revision}`, reason },
  };
  return parts.api.create(resource, object, signal).catch((error) => {
    if (!isConflict(error)) throw error;
    return parts.api.get(resource, key, signal);
  });
}

async function copySources(
  { namespace, revisioned }: StaticPod,
  { objects }: OperatorRequest<OperatorParts>,
  revision: number,
  status: KubeObject,
  find: FindSource,
): Promise<void> {
  const kinds = [
    { resource: resources.configMaps, sources: revisioned.configMaps },
    { resource: resources.secrets, sources: revisioned.secrets },
  ];
  for (const { resource, sources } of kinds)
    for (const source of sources) {
      const found = find(resource, source.name);
      if (found)
        await ensureData(objects, resource, copyInRevision(found, source, revision, namespace, status));
      else if (source.optional)
        await objects.remove(resource, { namespace, name: revisionName(source.name, revision) });
      else throw new Error(`${resource.kind.toLowerCase()} ${JSON.stringify(source.name)} not found`);
    }
}

async function publish(
  { configuration, parts, signal }: OperatorRequest<OperatorParts>,
  revision: number,
): Promise<void> {
  const path = "/status/latestAvailableRevision";
  // The controller may have reported conditions after it read the configuration, so the status is read again.
  const live = parts.operator.find() ?? configuration;
  const before = numberAt(live, "status", "latestAvailableRevision");
  if ((before ?? 0) >= revision) return;
  if (valueAt(live, "status") === undefined)
    await parts.operator.patchStatus(
      [{ op: "add", path: "/status", value: { latestAvailableRevision: revision } }],
      signal,
    );
  else if (before === undefined)
    await parts.operator.patchStatus([{ op: "add", path, value: revision }], signal);
  else
    await parts.operator.patchStatus(
      [
        { op: "test", path, value: before },
        { op: "replace", path, value: revision },
      ],
      signal,
    );
}
