import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { type Controller, done, type Result, watch, watchMapped } from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { isMaster, nodeChanged } from "../../base/node-changes.ts";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { controlPlaneManifests, podOnNode } from "./pods.ts";

/** Creates the etcd, API server, controller manager and scheduler pods on every master that has ever been ready. */
export const controlPlanePods: Controller<Cluster> = {
  name: "control-plane-pods",
  watches: [
    watch(resources.nodes, { where: (change) => isMaster(change.object) && nodeChanged(change) }),
    // Recreates a deleted pod.
    watchMapped(
      resources.pods,
      ({ metadata }) =>
        (metadata.ownerReferences ?? []).filter(({ kind }) => kind === "Node").map(({ name }) => ({ name })),
      { where: ({ type }) => type !== "updated" },
    ),
  ],
  reconcile: reconcileMaster,
};

async function reconcileMaster(
  { name }: ObjectKey,
  { client, settings, nodeDirectory }: Cluster,
): Promise<Result> {
  const node = await client.find(resources.nodes, { name });
  const gone = !node || node.metadata.deletionTimestamp !== undefined;
  if (gone || !isMaster(node) || conditionStatus(node, "Ready") !== "True") return done;
  const manifests = controlPlaneManifests(settings.openShiftVersion);
  if (nodeDirectory) {
    for (const manifest of manifests) await ensureManifest(nodeDirectory(name), manifest);
    return done;
  }
  for (const manifest of manifests) {
    const pod = podOnNode(manifest, node);
    const present = await client.find(resources.pods, pod.metadata);
    const phase = stringAt(present, "status", "phase");
    if (!present || phase === undefined) await ensureObject(client, resources.pods, pod);
  }
  return done;
}

/**
 * Writes a manifest to the node's directory. Never replaces an existing file, because an operator may have written a newer
 * manifest.
 */
async function ensureManifest(directory: string, manifest: KubeObject): Promise<void> {
  const manifests = join(directory, "etc/kubernetes/manifests");
  const path = join(manifests, `${manifest.metadata.name}-pod.yaml`);
  if (await stat(path).catch(() => undefined)) return;
  await mkdir(manifests, { recursive: true });
  // Renames the file after writing, so the kubelet never reads a partial file. JSON is valid YAML.
  const aside = join(manifests, `.${manifest.metadata.name}`);
  await writeFile(aside, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  await rename(aside, path);
}
