import { failures } from "@keelson/apimachinery";
import { handleAggregated, handleSpecialGet, handleSubresource } from "../aggregated/handle-aggregated.ts";
import { handleCreate } from "../verbs/create.ts";
import { handleDelete } from "../verbs/delete.ts";
import { handleDeleteCollection } from "../verbs/delete-collection.ts";
import { handleGet } from "../verbs/get.ts";
import { handleList } from "../verbs/list.ts";
import { handlePatch } from "../verbs/patch.ts";
import { handleUpdate } from "../verbs/update.ts";
import { handleWatch } from "../verbs/watch.ts";
import { type ResourceRequest, representationFor } from "./resources/resource-request.ts";
import { requireServedPath } from "./resources/resource-scope.ts";
import { handleNamedBinding } from "./subresources/binding.ts";
import { admitConnection } from "./subresources/connect.ts";
import { subresourceHandler } from "./subresources/index.ts";

const handlers: Readonly<Record<string, (call: ResourceRequest) => Promise<void>>> = {
  get: handleGet,
  list: handleList,
  watch: handleWatch,
  create: handleCreate,
  update: (call) => handleUpdate(call, "main"),
  patch: (call) => handlePatch(call, "main"),
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
};

/** Subresources that stream data of a pod or node. They return no objects. */
const streaming: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** Handles a request for objects. @throws StatusError */
export async function handleResource(call: ResourceRequest): Promise<void> {
  const { resource, info } = call;
  requireServedPath(info, resource.type, call.request.method);
  // The representation is negotiated first. A request for an unacceptable form therefore has no effect.
  if (!streaming.has(info.subresource ?? "")) representationFor(call);
  const { aggregated } = resource;
  if (aggregated?.handlers && info.subresource === undefined)
    return handleAggregated(call, aggregated.handlers);
  if (aggregated?.specialGet && info.verb === "get" && (await handleSpecialGet(call, aggregated.specialGet)))
    return;
  const subresource = aggregated?.subresources?.[info.subresource ?? ""];
  if (subresource) return handleSubresource(call, subresource);
  if (resource.bucket === "/bindings" && info.verb === "create") return handleNamedBinding(call);
  const handler = info.subresource === undefined ? handlers[info.verb] : subresourceHandler(info.subresource);
  if (!handler) throw failures.methodNotAllowed();
  if (info.subresource !== undefined) await admitConnection(call);
  return handler(call);
}
