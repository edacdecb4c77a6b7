import { failures } from "../status/status-error.ts";
import { handleAggregated, handleSubresource, handleSpecialGet } from "../aggregated/handle-aggregated.ts";
import { type ResourceRequest, representationFor } from "./resource-request.ts";
import { requireServedPath } from "./resource-scope.ts";
import { admitConnection } from "./subresources/connect.ts";
import { subresourceHandler } from "./subresources/index.ts";
import { handleCreate } from "./verbs/create.ts";
import { handleDelete } from "./verbs/delete.ts";
import { handleDeleteCollection } from "./verbs/delete-collection.ts";
import { handleGet } from "./verbs/get.ts";
import { handleList } from "./verbs/list.ts";
import { handlePatch } from "./verbs/patch.ts";
import { handleUpdate } from "./verbs/update.ts";
import { handleWatch } from "./verbs/watch.ts";

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

/** Subresources that answer with what others send. */
const streaming: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** Answers a request for objects. @throws StatusError */
export async function handleResource(call: ResourceRequest): Promise<void> {
  const { resource, info } = call;
  requireServedPath(info, resource.type, call.request.method);
  // Nothing is done whose outcome could not be shown.
  if (!streaming.has(info.subresource ?? "")) representationFor(call);
  const { declared } = resource;
  if (declared?.code && info.subresource === undefined) return handleAggregated(call, declared.code);
  if (declared?.specialGet && info.verb === "get" && (await handleSpecialGet(call, declared.specialGet)))
    return;
  const part = declared?.parts?.[info.subresource ?? ""];
  if (part) return handleSubresource(call, part);
  const handler =
    info.subresource === undefined
      ? handlers[info.verb]
      : subresourceHandler(resource.type, info.subresource);
  if (!handler) throw failures.methodNotAllowed();
  if (info.subresource !== undefined) await admitConnection(call);
  return handler(call);
}
