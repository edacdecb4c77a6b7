import { subresourceOf } from "../catalogue/index.ts";
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
  const { resource, path, verb } = call;
  const known = path.subresource === undefined ? resource.type.verbs : subresourceVerbs(call);
  if (!known.includes(verb)) throw failures.methodNotAllowed();
  if (resource.type.namespaced && !path.namespace && !["list", "watch"].includes(verb)) {
    throw failures.methodNotAllowed();
  }
  const { declared } = resource;
  if (declared?.code && path.subresource === undefined) return handleDeclared(call, declared.code);
  if (declared?.specialGet && verb === "get" && (await handleSpecialGet(call, declared.specialGet))) return;
  const part = declared?.parts?.[path.subresource ?? ""];
  if (part) return handlePart(call, part);
  const handler =
    path.subresource === undefined ? handlers[verb] : subresourceHandler(resource.type, path.subresource);
  if (!handler) throw failures.methodNotAllowed();
  if (path.subresource !== undefined) await admitConnection(call);
  return handler(call);
}

function subresourceVerbs({ resource: { type }, path }: ResourceRequest): readonly string[] {
  const name = path.subresource ?? "";
  if (!type.subresources.includes(name)) throw failures.noSuchPath();
  return subresourceOf(type, name).verbs;
}
