import { randomInt } from "node:crypto";
import { failures, inOwnTurns, type KubeObject, Pace, type Phases, StatusError } from "@keelson/apimachinery";
import { isPlainObject, timeLimit } from "@keelson/base";
import { decodeBody } from "../http/messages/decode-body.ts";
import { readPatch } from "../http/messages/patch-body.ts";
import { discardBody } from "../http/messages/request.ts";
import { sendValue } from "../http/messages/respond.ts";
import {
  listQueryOf,
  type ResourceRequest,
  representationFor,
  sendObject,
  sendPage,
  warning,
} from "../http/resources/resource-request.ts";
import { removeOptions, writeOptions } from "../http/resources/write-parameters.ts";
import { handleLog } from "../http/streaming/log.ts";
import { parseLogQuery } from "../http/streaming/log-options.ts";
import { decodeObject } from "../registry/decode-object.ts";
import { matches } from "../registry/list.ts";
import type { ListQuery } from "../registry/list-query.ts";
import type {
  NamedCall,
  ResourceCall,
  ResourceHandlers,
  SubresourceHandlers,
} from "../resources/aggregated-resource.ts";
import type { WriteOptions } from "../resources/registry-context.ts";
import { keyOf, subjectOf } from "../resources/served-resource.ts";
import { encodeObject, type StoredObject } from "../storage/stored-object.ts";
import { admitAggregated, admitSubresource, ofPath, requirePathOf } from "./admit-aggregated.ts";

/**
 * Handles a request for an aggregated resource with handlers.
 * @throws StatusError
 */
export async function handleAggregated(call: ResourceRequest, handlers: ResourceHandlers): Promise<void> {
  const { request, resource, info } = call;
  const { response } = request;
  switch (info.verb) {
    case "get":
      if (handlers.get) return sendObject(call, 200, storedAs(call, await handlers.get(named(call))));
      break;
    case "list":
      if (handlers.list) return list(call, handlers.list);
      break;
    case "watch":
      if (handlers.watch) return watch(call, handlers.watch);
      break;
    case "create": {
      const body = ofPath(call, decodeObject(resource, await decodeBody(request)));
      if (!handlers.create) break;
      const options = writeOptions(call, "CreateOptions");
      const write = { operation: "CREATE", object: body, oldObject: undefined } as const;
      const object = (await admitAggregated(call, write, options)) ?? body;
      return sendValue(response, 201, await handlers.create(callOf(call, options), object));
    }
    case "update": {
      const body = ofPath(call, decodeObject(resource, await decodeBody(request)));
      if (!handlers.update) break;
      const options = writeOptions(call, "UpdateOptions");
      const current = await handlers.get?.(named(call, options));
      return update(call, handlers.update, body, current, options);
    }
    case "patch": {
      const { change } = await readPatch(request, resource, resource.type);
      if (!handlers.get || !handlers.update) break;
      const options = writeOptions(call, "PatchOptions");
      const current = await handlers.get(named(call, options));
      const changed = ofPath(call, decodeObject(resource, await change(current)));
      return update(call, handlers.update, changed, current, options);
    }
    case "delete": {
      const options = removeOptions(call, await decodeBody(request));
      if (!handlers.delete) break;
      const asked = named(call, options);
      const oldObject = await handlers.get?.(asked);
      await admitAggregated(call, { operation: "DELETE", object: undefined, oldObject }, options);
      return sendValue(response, 200, (await handlers.delete(asked)) ?? success(call, asked.name));
    }
    default:
  }
  throw failures.methodNotAllowed();
}

async function update(
  call: ResourceRequest,
  run: NonNullable<ResourceHandlers["update"]>,
  wanted: KubeObject,
  oldObject: KubeObject | undefined,
  options: WriteOptions,
): Promise<void> {
  const write = { operation: "UPDATE", object: wanted, oldObject } as const;
  const object = (await admitAggregated(call, write, options)) ?? wanted;
  sendValue(call.request.response, 200, await run(named(call, options), object));
}

/**
 * Handles a GET of one object in a stored resource, if the function `get` computes this object. If `get` returns no object for
 * the requested name, sends no response and returns false.
 */
export async function handleSpecialGet(
  call: ResourceRequest,
  get: (call: NamedCall) => Promise<KubeObject | undefined>,
): Promise<boolean> {
  const found = await get(named(call));
  if (found) await sendObject(call, 200, storedAs(call, found));
  return found !== undefined;
}

/**
 * Handles a request for a subresource with handlers.
 * @throws StatusError
 */
export async function handleSubresource(call: ResourceRequest, handlers: SubresourceHandlers): Promise<void> {
  const { request, info } = call;
  const { response } = request;
  if (info.verb === "get" && handlers.podLog) {
    // Rejects invalid options before the handler waits for a pod.
    parseLogQuery(request.query, info.name ?? "", call.cluster.context.clock.now());
    const pod = await handlers.podLog(named(call));
    if (pod) return handleLog(call, pod);
    response.writeHead(204).end();
    return;
  }
  if (info.verb === "create" && handlers.upload) {
    await discardBody(request);
    const options = writeOptions(call, "CreateOptions");
    return sendValue(response, 201, await handlers.upload(named(call, options)));
  }
  if (info.verb === "get" && handlers.get) return sendValue(response, 200, await handlers.get(named(call)));
  const writes =
    info.verb === "create" ? handlers.create : info.verb === "update" ? handlers.update : undefined;
  if (!writes) throw failures.methodNotAllowed();
  const body = (await decodeBody(request)) ?? {};
  if (!isPlainObject(body)) throw failures.badRequest("the body of the request is not an object");
  requirePathOf(call, body);
  const creates = info.verb === "create";
  const options = writeOptions(call, creates ? "CreateOptions" : "UpdateOptions");
  const asked = named(call, options);
  const write = creates
    ? ({ operation: "CREATE", body, old: undefined } as const)
    : ({ operation: "UPDATE", body, old: await handlers.get?.(asked) } as const);
  sendValue(response, creates ? 201 : 200, await writes(asked, await admitSubresource(call, write, options)));
}

async function list(call: ResourceRequest, run: NonNullable<ResourceHandlers["list"]>): Promise<void> {
  const representation = representationFor(call);
  const query = listQueryOf(call);
  const answer = await run(callOf(call));
  if (!("items" in answer)) return sendValue(call.request.response, 200, answer);
  const { items, resourceVersion } = answer;
  const objects = await inOwnTurns(selected(call, items, query), call.request.owner);
  const page = { objects, revision: Number(resourceVersion), continueToken: undefined, remaining: undefined };
  await sendPage(call, representation, page);
}

/** Number of encoded bytes that count as one work unit when a list is encoded. */
const stepBytes = 128;

/** Encodes the selected objects. */
function* selected(
  call: ResourceRequest,
  items: readonly KubeObject[],
  query: ListQuery,
): Phases<readonly StoredObject[]> {
  const objects: StoredObject[] = [];
  const pace = new Pace();
  const terms = query.labels.length + query.fields.length;
  for (const object of items) {
    if (pace.isOver(1 + terms)) yield;
    const { namespace, name, labels = {} } = object.metadata;
    if (!matches(query, { key: keyOf(namespace, name), labels, object })) continue;
    const stored = storedAs(call, object);
    objects.push(stored);
    if (pace.isOver(Math.ceil(stored.size / stepBytes))) yield;
  }
  return objects;
}

/** Streams the handler's events until the timeout or a disconnect. */
async function watch(call: ResourceRequest, run: NonNullable<ResourceHandlers["watch"]>): Promise<void> {
  const { cluster, request } = call;
  const representation = representationFor(call);
  const query = listQueryOf(call);
  if (query.sendInitialEvents) {
    throw failures.invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", [
      {
        reason: "FieldValueForbidden",
        message:
          "Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
        field: "sendInitialEvents",
      },
    ]);
  }
  const { response } = request;
  const limit = timeLimit(1_000 * (query.timeoutSeconds || randomInt(1_800, 3_600)));
  const ended = AbortSignal.any([callOf(call).signal, cluster.networkSignal, limit]);
  const write = (type: string, object: Buffer): void => {
    response.write(representation.frame(type, object));
  };
  response.writeHead(200, {
    "content-type": representation.streamType,
    "cache-control": "no-cache, private",
  });
  response.flushHeaders();
  try {
    for await (const event of run(callOf(call), query.revision ? String(query.revision) : undefined, ended)) {
      if (event.type === "BOOKMARK") {
        if (query.bookmarks)
          write(event.type, representation.bookmark(Number(event.resourceVersion), undefined));
        continue;
      }
      const stored = storedAs(call, event.object);
      if (matches(query, stored)) write(event.type, representation.one(stored));
    }
  } catch (error) {
    if (ended.aborted) return;
    const failure = error instanceof StatusError ? error : failures.internal(error);
    write("ERROR", representation.failure(failure.toStatus()));
  } finally {
    response.end();
  }
}

function callOf(call: ResourceRequest, { dryRun = false }: Pick<WriteOptions, "dryRun"> = {}): ResourceCall {
  const { cluster, request, user, info } = call;
  const gone = new AbortController();
  request.response.once("close", () => gone.abort());
  const warn = warning(call);
  return {
    user,
    namespace: info.namespace,
    query: request.query,
    dryRun,
    client: cluster.clientAs({ user, dryRun, warn }),
    warn,
    allows: ({ verb, group, resource: asked, namespace = "", name = "" }) =>
      cluster.authorizer.allows(user, { kind: "resource", verb, group, resource: asked, namespace, name }),
    signal: AbortSignal.any([gone.signal, cluster.signal]),
  };
}

function named(call: ResourceRequest, options?: Pick<WriteOptions, "dryRun">): NamedCall {
  const { name } = call.info;
  if (!name) throw failures.methodNotAllowed();
  return { ...callOf(call, options), name };
}

function storedAs({ cluster }: ResourceRequest, object: KubeObject): StoredObject {
  const { namespace, name, resourceVersion } = object.metadata;
  return encodeObject(keyOf(namespace, name), Number(resourceVersion ?? cluster.context.store.head), object);
}

function success({ resource }: ResourceRequest, name: string): object {
  const { group, resource: kind } = subjectOf(resource);
  const details = { name, ...(group ? { group } : {}), kind };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}
