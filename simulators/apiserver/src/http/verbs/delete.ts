import { valueAt } from "../../json/access.ts";
import { removeObject } from "../../registry/remove.ts";
import { decodeBody } from "../decode-body.ts";
import { keyIn, type ResourceRequest, sendObject } from "../resource-request.ts";
import { sendValue } from "../respond.ts";
import { removeOptions } from "../write-parameters.ts";

/**
 * Kinds whose deletion is answered with what was deleted, where others have a Status.
 * @see kubernetes/kubernetes pkg/registry (ReturnDeletedObject)
 */
const shownWhenGone: ReadonlySet<string> = new Set([
  "/namespaces",
  "/persistentvolumeclaims",
  "/persistentvolumes",
  "/pods",
  "/podtemplates",
  "/resourcequotas",
  "/serviceaccounts",
  "/services",
  "storage.k8s.io/csidrivers",
  "storage.k8s.io/csinodes",
  "storage.k8s.io/storageclasses",
  "storage.k8s.io/volumeattachments",
  "storage.k8s.io/volumeattributesclasses",
]);

export async function handleDelete(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const body = await decodeBody(request);
  const options = removeOptions(call, body);
  const { kind, stored } = await removeObject(cluster.context, resource, keyIn(call), options);
  if (kind === "terminating") {
    // Whoever asked, in the old way, that dependents go is told that this has only begun.
    const orphans = valueAt(body, "orphanDependents") ?? request.query.get("orphanDependents");
    await sendObject(call, orphans === false || orphans === "false" ? 202 : 200, stored);
    return;
  }
  if (shownWhenGone.has(resource.bucket)) {
    await sendObject(call, 200, stored);
    return;
  }
  const { group, plural } = resource.type;
  const { name, uid } = stored.object.metadata;
  sendValue(request.response, 200, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(group ? { group } : {}), kind: plural, uid },
  });
}
