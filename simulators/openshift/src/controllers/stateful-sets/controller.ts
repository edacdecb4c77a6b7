import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt } from "@keelson/base";
import { type Controller, done, type Result, watch, watchOwned } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { adoptPods } from "../pods/adopt.ts";
import { createPod } from "../pods/create-pod.ts";
import { recordRevision } from "../pods/revisions.ts";
import { podFromTemplate } from "../pods/template.ts";
import { claimsOf, planStatefulSet, revisionLabel } from "./plan.ts";

const { controllerRevisions, persistentVolumeClaims, pods, statefulSets: resource } = resources;

/** StatefulSet controller. Creates pods in order, with stable names and one volume claim per template. */
export const statefulSets: Controller<WorkloadContext> = {
  name: "stateful-sets",
  watches: [watch(resource), watchOwned(controllerRevisions, resource), watchOwned(pods, resource)],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const set = context.informer(resource).get(key);
  if (!set || set.metadata.deletionTimestamp !== undefined) return done;
  const plan = planStatefulSet(set, await adoptPods(set, context), context.clock.now());
  await recordRevision(set, plan.hash, context);
  for (const ordinal of plan.create) await createOrdinal(set, ordinal, plan.hash, context);
  for (const pod of plan.delete) await context.delete(pods, pod);
  const present = context.informer(pods).by("controller", set.metadata.uid ?? "");
  await writeStatus(context, resource, set, planStatefulSet(set, present, context.clock.now()).status);
  return (numberAt(set, "spec", "minReadySeconds") ?? 0) > 0 ? { requeueAfterMs: 1_000 } : done;
}

async function createOrdinal(
  set: KubeObject,
  ordinal: number,
  hash: string,
  context: WorkloadContext,
): Promise<void> {
  const claims = claimsOf(set, ordinal);
  for (const claim of claims) {
    if (!context.informer(persistentVolumeClaims).get(claim.metadata))
      await context.create(persistentVolumeClaims, claim);
  }
  const name = `${set.metadata.name}-${ordinal}`;
  const template = objectAt(set, "spec", "template", "spec");
  const names = new Set(
    listAt(set, "spec", "volumeClaimTemplates").map((each) => stringAt(each, "metadata", "name")),
  );
  const volumes = [
    ...listAt(template, "volumes").filter((each) => !names.has(stringAt(each, "name"))),
    ...[...names].map((each) => ({ name: each, persistentVolumeClaim: { claimName: `${each}-${name}` } })),
  ];
  const labels = {
    [revisionLabel]: hash,
    "statefulset.kubernetes.io/pod-name": name,
    "apps.kubernetes.io/pod-index": String(ordinal),
  };
  const subdomain = stringAt(set, "spec", "serviceName");
  const spec = {
    hostname: name,
    ...(subdomain ? { subdomain } : {}),
    ...(volumes.length > 0 ? { volumes } : {}),
  };
  const prefix = `create Pod ${name} in StatefulSet ${set.metadata.name} failed error: `;
  await createPod(set, podFromTemplate(set, labels, spec, name), context, prefix);
}
