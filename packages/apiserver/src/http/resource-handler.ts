import { subresourceOf } from "../catalogue/index.ts";
import { pathSegmentName } from "../catalogue/names.ts";
import { failures } from "../status/status-error.ts";
import { handleDeclared, handlePart, handleSpecialGet } from "../virtual/handle-declared.ts";
import type { ResourceRequest } from "./resource-request.ts";
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

/** Answers a request for objects. @throws StatusError */
export async function handleResource(call: ResourceRequest): Promise<void> {
  const { resource, info } = call;
  requireScope(call);
  requireVerb(call);
  const { declared } = resource;
  if (declared?.code && info.subresource === undefined) return handleDeclared(call, declared.code);
  if (declared?.specialGet && info.verb === "get" && (await handleSpecialGet(call, declared.specialGet)))
    return;
  const part = declared?.parts?.[info.subresource ?? ""];
  if (part) return handlePart(call, part);
  const handler =
    info.subresource === undefined
      ? handlers[info.verb]
      : subresourceHandler(resource.type, info.subresource);
  if (!handler) throw failures.methodNotAllowed();
  if (info.subresource !== undefined) await admitConnection(call);
  return handler(call);
}

/**
 * Makes sure that a path has the scope of its resource: what belongs to no namespace is not found below one, and what
 * belongs to one not without it. @throws StatusError 400, 404, 405
 */
function requireScope({ info, resource: { type } }: ResourceRequest): void {
  const { namespace, name, subresource, verb } = info;
  if (type.namespaced ? name !== undefined && !namespace : namespace !== undefined) {
    throw failures.noSuchPath();
  }
  if (type.namespaced && !namespace && verb !== "list" && verb !== "watch") {
    throw type.origin === "custom" ? failures.noSuchPath() : failures.methodNotAllowed();
  }
  if (subresource !== undefined && name === undefined) throw failures.badRequest("name must be provided");
  requireSegment("Namespace", namespace);
  requireSegment("Name", name);
}

function requireSegment(what: string, text = ""): void {
  const why = pathSegmentName(text);
  if (why) throw failures.badRequest(`${what} parameter invalid: ${JSON.stringify(text)}: ${why}`);
}

/** @throws StatusError 404 for a path below which there is nothing, 405 */
function requireVerb({ info, request: { method }, resource: { type } }: ResourceRequest): void {
  const { verb, subresource, below, verbInPath } = info;
  if (subresource !== undefined && !type.subresources.includes(subresource)) throw failures.noSuchPath();
  if (below !== "" && below !== "/" && subresource !== "proxy") throw failures.noSuchPath();
  if (verbInPath && (subresource !== undefined || verb !== "watch" || !type.verbs.includes(verb))) {
    throw failures.noSuchPath();
  }
  const known = subresource === undefined ? type.verbs : subresourceOf(type, subresource).verbs;
  if (!known.includes(verb) || (verbInPath && method !== "GET")) throw failures.methodNotAllowed();
  // Only what is passed on to others knows HEAD.
  if (method === "HEAD" && subresource !== "proxy") throw failures.methodNotAllowed();
}
