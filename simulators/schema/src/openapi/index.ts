import { createHash } from "node:crypto";
import { type KubeObject, type Phases, type ResourceType, writeJson } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { contentKey, DocumentCache } from "./document-cache.ts";
import { buildOpenApiV2 } from "./v2.ts";
import { encodeOpenApiV2 } from "./v2-protobuf.ts";
import { buildOpenApiV3, groupVersionPaths } from "./v3.ts";

/** OpenAPI document and the hash of its bytes. */
export interface OpenApiDocument {
  readonly body: Buffer;
  /**
   * SHA-512 hash in upper-case hexadecimal digits, as in kube-apiserver. The quoted hash is the ETag. In the URLs of OpenAPI 3
   * documents, the hash is the parameter `hash`.
   */
  readonly hash: string;
}

const version2 = new DocumentCache<OpenApiDocument>(16);
const version3 = new DocumentCache<OpenApiDocument>(1000);

/**
 * Returns the OpenAPI 2 document as protocol buffers (`openapi.v2.Document`). kubectl up to 1.28 requests it as
 * `application/com.github.proto-openapi.spec.v2@v1.0+protobuf`. Go cannot parse this type, so the response's content type must be
 * `application/com.github.proto-openapi.spec.v2.v1.0+protobuf`. `crds` are CustomResourceDefinitions (apiextensions.k8s.io/v1).
 * Documents are cached by content.
 */
export function* openApiV2(
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): Phases<OpenApiDocument> {
  return yield* version2.get(`protobuf ${yield* keyOf(types, crds)}`, function* () {
    return document(yield* encodeOpenApiV2(yield* buildOpenApiV2(types, crds)));
  });
}

/** Returns the OpenAPI 2 document as JSON. */
export function* openApiV2Json(
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): Phases<OpenApiDocument> {
  return yield* version2.get(`json ${yield* keyOf(types, crds)}`, function* () {
    return yield* json(yield* buildOpenApiV2(types, crds));
  });
}

/** Returns the index for `GET /openapi/v3`. The index contains the URL of each API version's document. */
export function* openApiV3Index(
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): Phases<OpenApiDocument> {
  return yield* version3.get(`index ${yield* keyOf(types, crds)}`, function* () {
    const own = new Map<string, KubeObject[]>();
    for (const crd of crds) {
      for (const path of groupVersionPaths([], [crd])) own.set(path, [...(own.get(path) ?? []), crd]);
    }
    const paths: [string, object][] = [];
    for (const path of groupVersionPaths(types, crds)) {
      const { hash } = yield* documentAt(path, types, own.get(path) ?? []);
      // Yields in each iteration, because the number of definitions is unlimited.
      yield;
      paths.push([path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }]);
    }
    return yield* json({ paths: Object.fromEntries(paths) });
  });
}

/**
 * Returns the document of one API version. `path` is its path in the index (`api/v1`, `apis/apps/v1`). Undefined if the version
 * is not served.
 */
export function* openApiV3Document(
  path: string,
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): Phases<OpenApiDocument | undefined> {
  const own = crds.filter((crd) => groupVersionPaths([], [crd]).includes(path));
  if (own.length === 0 && !groupVersionPaths(types, []).includes(path)) return undefined;
  return yield* documentAt(path, types, own);
}

/** Returns the document at `path`. `own` contains the CustomResourceDefinitions that have a version at this path. */
function* documentAt(
  path: string,
  types: readonly ResourceType[],
  own: readonly KubeObject[],
): Phases<OpenApiDocument> {
  return yield* version3.get(`${path} ${yield* keyOf(types, own)}`, function* () {
    return yield* json(yield* buildOpenApiV3(path, types, own));
  });
}

/** Returns the cache key of the specifications. Status changes do not change the key. */
function keyOf(types: readonly ResourceType[], crds: readonly KubeObject[]): Phases<string> {
  return contentKey(types, ...crds.map(({ spec }) => (isPlainObject(spec) ? spec : {})));
}

function* json(value: unknown): Phases<OpenApiDocument> {
  return document(yield* writeJson(value));
}

function document(body: Buffer): OpenApiDocument {
  return { body, hash: createHash("sha512").update(body).digest("hex").toUpperCase() };
}
