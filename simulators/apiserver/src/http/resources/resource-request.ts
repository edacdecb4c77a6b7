import { failures, inOwnTurns, StatusError, selectedName } from "@keelson/apimachinery";
import { parseExactJson } from "@keelson/base";
import { packageOf } from "@keelson/kinds";
import { protobufTypeOf, yamlText } from "@keelson/wire-formats";
import type { User } from "../../auth/user.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { ListPage } from "../../registry/list.ts";
import { type ListQuery, listQuery } from "../../registry/list-query.ts";
import { keyOf, type ServedResource } from "../../resources/served-resource.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import { printYamlTask } from "../../threads/print-yaml-task.ts";
import { sharedThreads } from "../../threads/thread-pool.ts";
import { negotiate, type ObjectForm } from "../messages/negotiation.ts";
import type { IncludeObject, Representation } from "../messages/representation.ts";
import { representationOf } from "../messages/representation-of.ts";
import type { ApiRequest } from "../messages/request.ts";
import type { ResourceInfo } from "../messages/request-info.ts";
import { send } from "../messages/respond.ts";
import { addWarning } from "../messages/warnings.ts";

/** Authorized request for objects. */
export interface ResourceRequest {
  readonly cluster: Cluster;
  readonly request: ApiRequest;
  readonly user: User;
  readonly info: ResourceInfo;
  readonly resource: ServedResource;
}

export async function sendObject(call: ResourceRequest, code: number, stored: StoredObject): Promise<void> {
  const representation = representationFor(call);
  await sendBytes(call, code, representation, representation.one(stored));
}

/** Sends a list. */
export async function sendPage(
  call: ResourceRequest,
  representation: Representation,
  page: ListPage,
): Promise<void> {
  const { owner, budget } = call.request;
  if (representation.reads === "objects") {
    budget.spend(
      page.objects.length,
      page.objects.reduce((sum, { size }) => sum + size, 0),
    );
  }
  await sendBytes(call, 200, representation, await inOwnTurns(representation.list(page), owner));
}

async function sendBytes(
  { request }: ResourceRequest,
  code: number,
  { contentType, text }: Representation,
  bytes: Buffer,
): Promise<void> {
  const body = text === "yaml" ? await yamlOf(bytes, request) : bytes;
  send(request.response, code, contentType, body);
}

/** Maximum size in characters of JSON that is converted to YAML inline. Longer documents are converted in a thread. */
const shortJson = 16_384;

async function yamlOf(json: Buffer, { owner, budget }: ApiRequest): Promise<Buffer> {
  if (json.length <= shortJson) return yamlText(parseExactJson(json.toString()));
  const bytes = await sharedThreads.run(owner, printYamlTask, json, budget);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Negotiates the representation of the response. @throws StatusError 400, 406 */
export function representationFor({ cluster, request, resource, info }: ResourceRequest): Representation {
  const offer = { protobuf: protobufTypeOf(resource.type) !== undefined, watch: info.verb === "watch" };
  const acceptance = negotiate(request.incoming.headers.accept, offer);
  requireForm(acceptance.as, resource, info);
  const includeObject = acceptance.as === "Table" ? includeObjectOf(request.query) : "Metadata";
  return representationOf(resource, acceptance, includeObject, () => cluster.context.clock.now());
}

/**
 * Rejects a list form for a single object, and an object form for a list.
 * @throws StatusError 406
 */
function requireForm(form: ObjectForm, { type, listKind }: ServedResource, { verb }: ResourceInfo): void {
  const isList = verb === "list" || verb === "deletecollection";
  const goType = (kind: string) =>
    type.origin === "builtin" ? `*${packageOf(type.group)}.${kind}` : "*unstructured.Unstructured";
  if (form === "PartialObjectMetadata" && isList) {
    throw failures.wrongForm(
      `you requested ${form}, but the requested object is a list (${goType(listKind)})`,
    );
  }
  if (form === "PartialObjectMetadataList" && !isList && verb !== "watch") {
    throw failures.wrongForm(
      `you requested ${form}, but the requested object is not a list (${goType(type.kind)})`,
    );
  }
}

function includeObjectOf(query: URLSearchParams): IncludeObject {
  const wanted = query.get("includeObject") ?? "";
  if (wanted === "None" || wanted === "Object") return wanted;
  if (wanted === "" || wanted === "Metadata") return "Metadata";
  throw failures.badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(wanted)}: ` +
      "must be 'Metadata', 'Object', 'None', or empty",
  );
}

/**
 * Returns the key of the object in the path.
 * @throws StatusError 405 for a collection
 */
export function keyIn({ info }: ResourceRequest): string {
  if (!info.name) throw failures.methodNotAllowed();
  return keyOf(info.namespace, info.name);
}

/**
 * Returns the query of a list, watch or collection deletion. A watch may also select a single object.
 * @throws StatusError 400, 422
 */
export function listQueryOf({ resource, info }: ResourceRequest): ListQuery {
  const { listParameters, namespace, name, verb } = info;
  if (listParameters instanceof StatusError) throw listParameters;
  const query = listQuery(resource, namespace, listParameters, verb === "watch");
  if (name === undefined) return query;
  const selected = selectedName(query.fields);
  if (selected !== undefined && selected !== name) {
    throw failures.badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return { ...query, fields: [...query.fields, { field: "metadata.name", value: name, equal: true }] };
}

/** Returns a function that adds warnings to the response. */
export function warning({ request }: ResourceRequest): (text: string) => void {
  return (text) => addWarning(request.response, text);
}
