import { type KubeObject, type Phases, type ResourceType, writeJson } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { contentKey, DocumentCache, sha256 } from "./document-cache.ts";
import { buildOpenApiV2 } from "./v2.ts";
import { encodeOpenApiV2 } from "./v2-protobuf.ts";
import { buildOpenApiV3, groupVersionPaths } from "./v3.ts";

/** Document with the hash of its bytes. */
export interface OpenApiDocument {
  readonly body: Buffer;
  /** Hexadecimal digits. In quotes, the ETag. Also the `hash` in version 3's URLs. */
  readonly hash: string;
}

const version2 = new DocumentCache<OpenApiDocument>(16);
const version3 = new DocumentCache<OpenApiDocument>(1000);

/**
 * OpenAPI 2 document as protocol buffers (`openapi.v2.Document`), for clients that accept
 * `application/com.github.proto-openapi.spec.v2@v1.0+protobuf`: kubectl up to 1.28. The response's content
 * type must be `application/com.github.proto-openapi.spec.v2.v1.0+protobuf`, because Go cannot parse the
 * former. `crds` are CustomResourceDefinitions (apiextensions.k8s.io/v1). Documents are cached by content.
 */
export function* openApiV2(
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): Phases<OpenApiDocument> {
  return yield* version2.get(`protobuf ${yield* keyOf(types, crds)}`, function* () {
    return document(yield* encodeOpenApiV2(yield* buildOpenApiV2(types, crds)));
  });
}

/** OpenAPI 2 document as JSON. */
export function* openApiV2Json(
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): Phases<OpenApiDocument> {
  return yield* version2.get(`json ${yield* keyOf(types, crds)}`, function* () {
    return yield* json(yield* buildOpenApiV2(types, crds));
  });
}

/** Index of `GET /openapi/v3` with the URL of each group-version's document. */
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
      // There can be any number of small definitions.
      yield;
      paths.push([path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }]);
    }
    return yield* json({ paths: Object.fromEntries(paths) });
  });
}

/**
 * Document of one group-version by its path in the index (`api/v1`, `apis/apps/v1`). Undefined if it is not
 * served.
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

/** Document at `path`. `own` are the definitions with a version at it. */
function* documentAt(
  path: string,
  types: readonly ResourceType[],
  own: readonly KubeObject[],
): Phases<OpenApiDocument> {
  return yield* version3.get(`${path} ${yield* keyOf(types, own)}`, function* () {
    return yield* json(yield* buildOpenApiV3(path, types, own));
  });
}

/** Key of the specifications. Status changes do not affect documents. */
function keyOf(types: readonly ResourceType[], crds: readonly KubeObject[]): Phases<string> {
  return contentKey(types, ...crds.map(({ spec }) => (isPlainObject(spec) ? spec : {})));
}

function* json(value: unknown): Phases<OpenApiDocument> {
  return document(yield* writeJson(value));
}

function document(body: Buffer): OpenApiDocument {
  return { body, hash: sha256(body) };
}
