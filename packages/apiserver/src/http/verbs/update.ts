import { recordAt, textAt } from "../../json/access.ts";
import { createObject } from "../../registry/create.ts";
import { type ModifiedPart, modifyObject } from "../../registry/modify.ts";
import { failures, StatusError } from "../../status/status-error.ts";
import { decodeStrictly } from "../decode-body.ts";
import { keyIn, type ResourceRequest, sendObject } from "../resource-request.ts";
import { writeOptions } from "../write-parameters.ts";

export async function handleUpdate(call: ResourceRequest, part: ModifiedPart): Promise<void> {
  const { cluster, request, resource } = call;
  const { value: body, strictErrors } = await decodeStrictly(request);
  const options = writeOptions(call, "UpdateOptions", strictErrors);
  const key = keyIn(call);
  try {
    sendObject(call, 200, await modifyObject(cluster.context, resource, key, part, () => body, options));
  } catch (error) {
    const creates = part === "main" && creatableByUpdate.has(resource.bucket);
    if (!creates || !(error instanceof StatusError) || error.reason !== "NotFound") throw error;
    const named = withName(body, call.info.name ?? "");
    sendObject(call, 201, await createObject(cluster.context, resource, call.info.namespace, named, options));
  }
}

/** What a PUT creates where there is nothing. @see kubernetes/kubernetes pkg/registry (AllowCreateOnUpdate) */
const creatableByUpdate: ReadonlySet<string> = new Set([
  "/endpoints",
  "/events",
  "/limitranges",
  "/services",
  "coordination.k8s.io/leases",
  "node.k8s.io/runtimeclasses",
  "rbac.authorization.k8s.io/clusterrolebindings",
  "rbac.authorization.k8s.io/clusterroles",
  "rbac.authorization.k8s.io/rolebindings",
  "rbac.authorization.k8s.io/roles",
]);

/** The object with the name of the URL. @throws StatusError 400 if it has another */
function withName(body: unknown, name: string): Readonly<Record<string, unknown>> {
  const own = textAt(body, "metadata", "name") || name;
  if (own === name) return { ...recordAt(body), metadata: { ...recordAt(body, "metadata"), name } };
  throw failures.badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
}
