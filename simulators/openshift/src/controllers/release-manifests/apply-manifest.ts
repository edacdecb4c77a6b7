import type { ClusterClient, KubeObject, ResourceRef } from "@keelson/apiserver";
import { listAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { ensureDeleted, ensureObject } from "../../base/objects.ts";

/** Field manager for release manifests. */
const fieldManager = "cluster-version-operator";

/**
 * Creates or updates an object from its manifest. Fields that the manifest does not contain stay unchanged. If the manifest is
 * marked as create-only, an existing object is not updated. If the manifest is marked for deletion, deletes the object.
 * @throws StatusError
 */
export async function applyManifest(
  client: ClusterClient,
  ref: ResourceRef,
  manifest: KubeObject,
  clusterVersion: KubeObject,
): Promise<void> {
  const { "release.openshift.io/create-only": createOnly, "release.openshift.io/delete": deleted } =
    stringMapAt(manifest, "metadata", "annotations");
  if (deleted === "true") return deleteObject(client, ref, manifest);
  const { status: _, ...rest } = manifest;
  const ownerReferences = ownersOf(manifest, clusterVersion, createOnly === "true");
  const object: KubeObject = { ...rest, metadata: { ...manifest.metadata, ownerReferences } };
  if (createOnly === "true") return ensureObject(client, ref, object);
  switch (manifest.kind) {
    case "ClusterOperator":
      // Sets the related objects of a new ClusterOperator immediately, because support bundles read them before the operator's
      // first report.
      await ensureObject(client, ref, {
        ...object,
        status: { relatedObjects: listAt(manifest, "status", "relatedObjects") },
      });
      return apply(client, ref, metadataOf(object));
    case "Namespace":
      return apply(client, ref, metadataOf(object));
    default:
      return apply(client, ref, object);
  }
}

async function apply(client: ClusterClient, ref: ResourceRef, object: KubeObject): Promise<void> {
  await client.apply(ref, object, { fieldManager, force: true });
}

function metadataOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata };
}

async function deleteObject(
  client: ClusterClient,
  ref: ResourceRef,
  { metadata }: KubeObject,
): Promise<void> {
  const present = await client.find(ref, metadata);
  if (present && present.metadata.deletionTimestamp === undefined) await ensureDeleted(client, ref, metadata);
}

/**
 * Returns the owner references of the manifest or, if it has none, a reference to the ClusterVersion. The reference to the
 * ClusterVersion has `controller: true`, unless the object is create-only.
 */
function ownersOf(
  { metadata }: KubeObject,
  { apiVersion, kind, metadata: { name, uid = "" } }: KubeObject,
  createOnly: boolean,
) {
  if (metadata.ownerReferences !== undefined) return metadata.ownerReferences;
  return [{ apiVersion, kind, name, uid, ...(createOnly ? {} : { controller: true }) }];
}
