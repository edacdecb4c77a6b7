import { randomInt } from "node:crypto";
import { reviewOf } from "../auth/reviews.ts";
import type { User } from "../auth/user.ts";
import { subresourceOf } from "../catalogue/index.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { createObject } from "../registry/create.ts";
import { evictPod } from "../registry/evict.ts";
import { listObjects } from "../registry/list.ts";
import { parseListQuery, revisionOf } from "../registry/list-query.ts";
import { type ModifiedPart, modifyObject } from "../registry/modify.ts";
import { readObject } from "../registry/read.ts";
import { removeObject } from "../registry/remove.ts";
import { scaled, scaleOf } from "../registry/scale.ts";
import { keyOf, type ServedResource } from "../registry/served-resource.ts";
import { ObjectWatch } from "../registry/watch.ts";
import { failures, StatusError } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ApiPath } from "./api-path.ts";
import { decodeBody } from "./decode-body.ts";
import { negotiate } from "./negotiation.ts";
import { readPatch } from "./patch-body.ts";
import { type IncludeObject, type Representation, representationOf } from "./representation.ts";
import type { ApiRequest } from "./request.ts";
import { send, sendJson } from "./respond.ts";
import { streamError, streamWatch } from "./watch-stream.ts";
import { removeOptions, writeOptions } from "./write-parameters.ts";

/** A request for objects that may be answered: who asks is allowed to. */
export interface ResourceRequest {
  readonly cluster: Cluster;
  readonly request: ApiRequest;
  readonly user: User;
  readonly path: ApiPath;
  readonly resource: ServedResource;
  /** As authorization names it: `create`, `deletecollection`, `watch` and so on. */
  readonly verb: string;
}

/** Answers a request for objects. @throws StatusError */
export async function handleResource(call: ResourceRequest): Promise<void> {
  const { resource, path, verb } = call;
  const known = path.subresource === undefined ? resource.type.verbs : subresourceVerbs(call);
  if (!known.includes(verb)) throw failures.methodNotAllowed();
  if (resource.type.namespaced && !path.namespace && !["list", "watch"].includes(verb)) {
    throw failures.methodNotAllowed();
  }
  if (path.subresource !== undefined) return handleSubresource(call, path.subresource);
  const handlers: Readonly<Record<string, (call: ResourceRequest) => Promise<void>>> = {
    get: handleGet,
    list: handleList,
    watch: handleWatch,
    create: handleCreate,
    update: (each) => handleUpdate(each, "main"),
    patch: (each) => handlePatch(each, "main"),
    delete: handleDelete,
    deletecollection: handleDeleteCollection,
  };
  const handler = handlers[verb];
  if (!handler) throw failures.methodNotAllowed();
  return handler(call);
}

function subresourceVerbs({ resource: { type }, path }: ResourceRequest): readonly string[] {
  const name = path.subresource ?? "";
  const plural = `${type.group}/${type.plural}`;
  if (plural === "/pods" && containerDoors.has(name)) throw failures.noContainers(name);
  if (!type.subresources.includes(name)) throw failures.noSuchPath();
  return subresourceOf(type, name).verbs;
}

/** Ways into containers. Discovery does not name them, but kubectl asks without looking there. */
const containerDoors: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

function handleSubresource(call: ResourceRequest, name: string): Promise<void> {
  if (name === "scale") return handleScale(call);
  if (name === "eviction") return handleEviction(call);
  const part: ModifiedPart | undefined =
    name === "finalize" ? "finalize" : statusLike.has(name) ? "status" : undefined;
  if (!part) throw failures.noSuchPath();
  if (call.verb === "get") return handleGet(call);
  return call.verb === "update" ? handleUpdate(call, part) : handlePatch(call, part);
}

/** Subresources through which only the status changes. */
const statusLike: ReadonlySet<string> = new Set(["status", "approval"]);

async function handleGet(call: ResourceRequest): Promise<void> {
  const revision = call.request.query.get("resourceVersion");
  const stored = await readObject(
    call.cluster.context,
    call.resource,
    keyIn(call),
    revision ? revisionOf(revision) : 0,
  );
  sendObject(call, 200, stored);
}

function listQueryOf({ request, resource, path }: ResourceRequest) {
  return parseListQuery(resource, path.namespace, (name) => request.query.get(name) ?? undefined, false);
}

async function handleList(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const representation = representationFor(call);
  const query = listQueryOf(call);
  const page = await listObjects(cluster.context, resource, query);
  send(request.response, 200, representation.contentType, representation.list(page));
}

async function handleWatch(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, path } = call;
  const acceptance = negotiate(request.incoming.headers.accept);
  // A stream of YAML documents is nothing that clients know.
  const representation = representationFor(call, { ...acceptance, media: "application/json" });
  const named = path.name === undefined ? undefined : `metadata.name=${path.name}`;
  const parameter = (name: string) =>
    (name === "fieldSelector" ? named : undefined) ?? request.query.get(name) ?? undefined;
  const query = parseListQuery(resource, path.namespace, parameter, true);
  try {
    const watch = new ObjectWatch(cluster.context, resource, query);
    await cluster.context.store.settled();
    await streamWatch(request.response, watch, {
      representation,
      frames: cluster.frames,
      bookmarks: query.bookmarks,
      timeoutMs: 1_000 * (query.timeoutSeconds || randomInt(1_800, 3_600)),
      clock: cluster.context.clock,
      signal: cluster.networkSignal,
    });
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 410) throw error;
    streamError(request.response, representation, error);
  }
}

async function handleCreate(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, path, user } = call;
  if (path.name !== undefined) throw failures.methodNotAllowed();
  const body = await decodeBody(request);
  const review = reviewOf(resource.type.group, resource.type.plural);
  if (review) {
    const { group, version, kind } = resource.type;
    const answer = review(cluster, user, path.namespace, body);
    sendJson(request.response, 201, { kind, apiVersion: `${group}/${version}`, metadata: {}, ...answer });
    return;
  }
  const options = writeOptions(request.query, "CreateOptions", warning(call));
  sendObject(call, 201, await createObject(cluster.context, resource, path.namespace, body, options));
}

async function handleUpdate(call: ResourceRequest, part: ModifiedPart): Promise<void> {
  const { cluster, request, resource } = call;
  const body = await decodeBody(request);
  const options = writeOptions(request.query, "UpdateOptions", warning(call));
  sendObject(
    call,
    200,
    await modifyObject(cluster.context, resource, keyIn(call), part, () => body, options),
  );
}

async function handlePatch(call: ResourceRequest, part: ModifiedPart): Promise<void> {
  const { cluster, request, resource } = call;
  const change = await readPatch(request, resource, resource.type);
  const options = writeOptions(request.query, "PatchOptions", warning(call));
  sendObject(call, 200, await modifyObject(cluster.context, resource, keyIn(call), part, change, options));
}

async function handleDelete(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const options = removeOptions(request.query, await decodeBody(request));
  const { kind, stored } = await removeObject(cluster.context, resource, keyIn(call), options);
  if (kind === "terminating") {
    sendObject(call, 200, stored);
    return;
  }
  const { group, plural } = resource.type;
  const { name, uid } = stored.object.metadata;
  sendJson(request.response, 200, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(group ? { group } : {}), kind: plural, uid },
  });
}

async function handleDeleteCollection(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const representation = representationFor(call);
  const query = listQueryOf(call);
  const options = removeOptions(request.query, await decodeBody(request));
  const page = await listObjects(cluster.context, resource, query);
  for (const stored of page.objects) {
    const { uid } = stored.object.metadata;
    const preconditions = uid ? { uid } : {};
    try {
      await removeObject(cluster.context, resource, stored.key, { ...options, preconditions });
    } catch (error) {
      // Whoever deleted it first did what was asked.
      if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }
  send(request.response, 200, representation.contentType, representation.list(page));
}

async function handleEviction(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const key = keyIn(call);
  const body = await decodeBody(request);
  const options = removeOptions(request.query, valueAt(body, "deleteOptions"));
  await evictPod(cluster.context, resource, key, body, options);
  sendJson(request.response, 201, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    code: 201,
  });
}

async function handleScale(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, verb } = call;
  const key = keyIn(call);
  if (verb === "get") {
    sendScale(call, await readObject(cluster.context, resource, key));
    return;
  }
  const change =
    verb === "patch"
      ? await readPatch(request, resource, { group: "autoscaling", version: "v1", kind: "Scale" })
      : await decodeBody(request).then((body) => () => body);
  const options = writeOptions(
    request.query,
    verb === "patch" ? "PatchOptions" : "UpdateOptions",
    warning(call),
  );
  const apply = (object: KubeObject) => scaled(resource, object, change(scaleOf(resource, object)));
  sendScale(call, await modifyObject(cluster.context, resource, key, "main", apply, options));
}

function sendScale({ request, resource }: ResourceRequest, { object }: StoredObject): void {
  sendJson(request.response, 200, scaleOf(resource, object));
}

function sendObject(call: ResourceRequest, code: number, stored: StoredObject): void {
  const representation = representationFor(call);
  send(call.request.response, code, representation.contentType, representation.one(stored));
}

function representationFor(
  call: ResourceRequest,
  acceptance = negotiate(call.request.incoming.headers.accept),
): Representation {
  const { cluster, request, resource } = call;
  return representationOf(resource, acceptance, includeObject(request.query), () =>
    cluster.context.clock.now(),
  );
}

function includeObject(query: URLSearchParams): IncludeObject {
  const wanted = query.get("includeObject") ?? "";
  if (wanted === "None" || wanted === "Object") return wanted;
  if (wanted === "" || wanted === "Metadata") return "Metadata";
  throw failures.badRequest(`unrecognized includeObject value: ${JSON.stringify(wanted)}`);
}

function keyIn({ path, resource }: ResourceRequest): string {
  if (!path.name) throw failures.methodNotAllowed();
  return keyOf(resource.type.namespaced ? path.namespace : undefined, path.name);
}

/** Warnings go out as headers, before the answer does (RFC 7234 section 5.5, as Kubernetes uses it). */
function warning({ request }: ResourceRequest): (text: string) => void {
  return (text) => {
    const printable = text
      .replace(/[^\x20-\x7e]/g, "?")
      .replace(/["\\]/g, "\\$&")
      .slice(0, 256);
    request.response.appendHeader("warning", `299 - "${printable}"`);
  };
}
