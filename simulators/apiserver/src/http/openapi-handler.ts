import { conditionIsTrue, failures, inOwnTurns, type KubeObject, type Phases } from "@keelson/apimachinery";
import { builtinTypes } from "@keelson/kinds";
import {
  type OpenApiDocument,
  openApiV2,
  openApiV2Json,
  openApiV3Document,
  openApiV3Index,
} from "@keelson/schema";
import type { Cluster } from "../cluster/cluster.ts";
import type { ApiRequest, PathRequest } from "./messages/request.ts";
import { send } from "./messages/respond.ts";

const json = "application/json";
/**
 * Response media type. It differs from the requested type, which contains an `@`. Go's MIME parser rejects this character in
 * responses.
 */
const v2Protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const yearSeconds = 31_536_000;
/** Minimum size of a large definition in bytes. After serializing a large definition, the handler yields to other requests. */
const largeDefinition = 65_536;

/**
 * Handles `/openapi/v2`, `/openapi/v3` and the documents below `/openapi/v3`.
 * @throws StatusError 404, 405
 */
export async function handleOpenApi(cluster: Cluster, request: PathRequest): Promise<void> {
  const { method, info } = request;
  if (method !== "GET" && method !== "HEAD") throw failures.methodNotAllowed();
  const [, version, ...path] = info.segments;
  if (version !== "v3" && !(version === "v2" && path.length === 0)) throw failures.noSuchPath();
  const { owner } = request;
  const definitions = await inOwnTurns(definitionsOf(cluster), owner);
  if (version === "v2") await sendV2(request, definitions);
  else if (path.length > 0) await sendV3(cluster, request, path.join("/"), definitions);
  else {
    const index = await inOwnTurns(openApiV3Index(builtinTypes, definitions), owner);
    sendDocument(request, json, index);
  }
}

function* definitionsOf({ context, declaredDefinitions }: Cluster): Phases<readonly KubeObject[]> {
  const stored = context.store.range("apiextensions.k8s.io/customresourcedefinitions", "");
  const definitions: KubeObject[] = [];
  for (const each of stored) {
    definitions.push(each.object);
    if (each.size > largeDefinition) yield;
  }
  return [...definitions.filter((each) => conditionIsTrue(each, "Established")), ...declaredDefinitions];
}

async function sendV2(request: ApiRequest, definitions: readonly KubeObject[]): Promise<void> {
  const accept = request.incoming.headers.accept ?? "";
  if (/proto-openapi\.spec\.v2/.test(accept)) {
    const document = await inOwnTurns(openApiV2(builtinTypes, definitions), request.owner);
    sendDocument(request, v2Protobuf, document);
  } else {
    const document = await inOwnTurns(openApiV2Json(builtinTypes, definitions), request.owner);
    sendDocument(request, json, document);
  }
}

async function sendV3(
  cluster: Cluster,
  request: ApiRequest,
  path: string,
  definitions: readonly KubeObject[],
): Promise<void> {
  const document = await inOwnTurns(openApiV3Document(path, builtinTypes, definitions), request.owner);
  if (!document) throw failures.noSuchPath();
  const asked = request.query.get("hash");
  if (asked === null) {
    sendDocument(request, json, document);
    return;
  }
  if (asked !== document.hash) {
    const location = `${new URL(cluster.url).pathname.replace(/\/$/, "")}/openapi/v3/${path}?hash=${document.hash}`;
    request.response.writeHead(301, { location, "cache-control": "no-cache, private" }).end();
    return;
  }
  const expires = new Date(cluster.context.clock.now().getTime() + yearSeconds * 1_000).toUTCString();
  sendDocument(request, json, document, { "cache-control": "public, immutable", expires });
}

function sendDocument(
  { incoming, response }: ApiRequest,
  contentType: string,
  { body, hash }: OpenApiDocument,
  headers: Readonly<Record<string, string>> = {},
): void {
  const etag = `"${hash}"`;
  const all = { etag, vary: "Accept", ...headers };
  if (incoming.headers["if-none-match"] === etag) response.writeHead(304, all).end();
  else send(response, 200, contentType, body, all);
}
