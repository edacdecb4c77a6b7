import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { recordAt, textsAt } from "../../runtime/fields.ts";
import { ensureDeleted, ensureObject, writeStatus } from "../../runtime/objects.ts";
import { controllerKeys, controllerReference } from "../../runtime/ownership.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { hashLabel, planDeployment, revisionAnnotation } from "./plan.ts";

/** One ReplicaSet per revision of the template, and the roll-over between them. */
export const deployments: Controller = {
  name: "deployments",
  watches: [
    { on: "objects", resource: resources.deployments, keys: (deployment) => [keyOf(deployment)] },
    {
      on: "objects",
      resource: resources.replicaSets,
      keys: (replicaSet) => controllerKeys(replicaSet, "Deployment"),
    },
  ],
  reconcile: reconcileDeployment,
};

async function reconcileDeployment(key: string, { client, clock }: Cluster): Promise<Outcome> {
  const deployment = await client.find(resources.deployments, parseKey(key));
  if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return settled;
  const { namespace } = deployment.metadata;
  const replicaSets = (await client.list(resources.replicaSets, { namespace })).items;
  const plan = planDeployment(deployment, replicaSets, clock.now());
  if (plan.create) await ensureObject(client, resources.replicaSets, newReplicaSet(deployment, plan.create));
  for (const { replicaSet, replicas } of plan.scale)
    await client.update(resources.replicaSets, {
      ...replicaSet,
      spec: { ...recordAt(replicaSet, "spec"), replicas },
    });
  for (const { metadata } of plan.forget) await ensureDeleted(client, resources.replicaSets, metadata);
  const revision = String(plan.revision);
  const current =
    textsAt(deployment, "metadata", "annotations")[revisionAnnotation] === revision
      ? deployment
      : await client.update(resources.deployments, withRevision(deployment, revision));
  await writeStatus(client, resources.deployments, current, plan.status);
  return settled;
}

function withRevision(deployment: KubeObject, revision: string): KubeObject {
  const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: revision };
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}

function newReplicaSet(
  deployment: KubeObject,
  {
    hash,
    revision,
    replicas,
  }: { readonly hash: string; readonly revision: number; readonly replicas: number },
): KubeObject {
  const { name, namespace } = deployment.metadata;
  const template = recordAt(deployment, "spec", "template");
  const labels = { ...textsAt(template, "metadata", "labels"), [hashLabel]: hash };
  const selector = recordAt(deployment, "spec", "selector");
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      annotations: { [revisionAnnotation]: String(revision) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      selector: { ...selector, matchLabels: { ...textsAt(selector, "matchLabels"), [hashLabel]: hash } },
      template: { ...template, metadata: { ...recordAt(template, "metadata"), labels } },
    },
  };
}
