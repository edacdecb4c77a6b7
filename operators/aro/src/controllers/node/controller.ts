import { isDeepStrictEqual } from "node:util";
import { type Change, keyOf, timestamp, watch } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import {
  drainFields,
  drainStart,
  drainStartAnnotation,
  isDraining,
  isMaster,
  patienceMs,
} from "./node-state.ts";
import { podsToDelete } from "./pods-to-delete.ts";

const { nodes, pods } = resources;
const cached = { strip: drainFields };
/** Interval in ms at which terminating pods are read again. */
const recheckMs = 5_000;
/** Maximum number of concurrent deletions. It limits the load on the API server. */
const batch = 10;

/**
 * Completes node updates that PodDisruptionBudgets block. If the machine config operator has tried to drain a worker for an hour,
 * this controller deletes the worker's pods without eviction.
 */
export const nodeDrainer: RegisteredController = {
  name: "Node",
  flag: "aro.nodedrainer.enabled",
  flags: { "aro.nodedrainer.enabled": switchedOn },
  documentation: {
    purpose:
      "If the drain of a worker for an update takes an hour, the controller deletes the remaining pods without eviction. Annotation `aro.openshift.io/drainStartTime` records the start.",
    improvement:
      "Waits without blocking the controller's queue, and reads pods only when it needs them. A start time in the future delays the deletion by at most an hour.",
  },
  watches: [watch(nodes, { ...cached, where: stateChanged })],
  keys: ({ cache }) => cache.informer(nodes, cached).list().map(keyOf),
  concurrency: 4,
  permissions: [may([...reading, "patch"], "", ["nodes"]), may(["get", "list", "delete"], "", ["pods"])],
  async reconcile(request, key) {
    const { cache, clock } = request;
    const node = cache.informer(nodes, cached).get(key);
    if (!node || isMaster(node)) return done;
    if (!isDraining(node)) {
      await mark(request, node, null);
      return done;
    }
    const progressing = { reason: "Draining", message: `Draining node ${key.name}` };
    const start = drainStart(node);
    if (!start) await mark(request, node, timestamp(clock.now()));
    const waitMs = patienceMs(start ?? clock.now(), clock.now());
    if (waitMs > 0) return { progressing, requeueAfterMs: waitMs };
    const left = await deletePods(request, key.name);
    if (left > 0) return { progressing, requeueAfterMs: recheckMs };
    await mark(request, node, null);
    return done;
  },
};

function stateChanged({ object, before, type }: Change): boolean {
  return type !== "updated" || !isDeepStrictEqual(withoutRevision(object), withoutRevision(before));
}

function withoutRevision({ metadata, ...rest }: KubeObject): unknown {
  const { resourceVersion: _, ...own } = metadata;
  return { ...rest, metadata: own };
}

async function mark({ objects }: Request, node: KubeObject, time: string | null): Promise<void> {
  await objects.correct(nodes, node, { metadata: { annotations: { [drainStartAnnotation]: time } } });
}

/** Deletes the node's pods although PodDisruptionBudgets forbid their eviction. Returns the number of remaining pods. */
async function deletePods({ api, objects, signal }: Request, node: string): Promise<number> {
  const { items } = await api.list(pods, { fieldSelector: `spec.nodeName=${node}` }, signal);
  const wanted = podsToDelete(items);
  const open = wanted.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  for (let from = 0; from < open.length; from += batch)
    await Promise.all(open.slice(from, from + batch).map((pod) => objects.remove(pods, keyOf(pod))));
  return wanted.length;
}
