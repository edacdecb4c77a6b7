import { exactJson, isPlainObject } from "@keelson/base";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceType } from "../resource-type.ts";
import { contentKey, DocumentCache, sha256 } from "./document-cache.ts";
import { buildOpenApiV2 } from "./v2.ts";
import { encodeOpenApiV2 } from "./v2-protobuf.ts";
import { buildOpenApiV3, groupVersionPaths } from "./v3.ts";

/** A document with the hash of its bytes. */
export interface OpenApiDocument {
  readonly body: Buffer;
  /** Hexadecimal; an ETag when quoted, and the `hash` of version 3's URLs. */
  readonly hash: string;
}

const version2 = new DocumentCache<OpenApiDocument>(16);
const version3 = new DocumentCache<OpenApiDocument>(1000);

/**
 * The OpenAPI 2 document as protocol buffers (`openapi.v2.Document`), for clients that accept
 * `application/com.github.proto-openapi.spec.v2@v1.0+protobuf`: kubectl up to 1.28. The answer's content type must
 * be spelled `application/com.github.proto-openapi.spec.v2.v1.0+protobuf`; Go cannot parse the other.
 * `crds` are CustomResourceDefinitions (apiextensions.k8s.io/v1). Documents are cached by content.
 */
export function openApiV2(types: readonly ResourceType[], crds: readonly KubeObject[]): OpenApiDocument {
  return version2.get(`protobuf ${keyOf(types, crds)}`, () =>
    document(encodeOpenApiV2(buildOpenApiV2(types, crds))),
  );
}

/** The same document as JSON. */
export function openApiV2Json(types: readonly ResourceType[], crds: readonly KubeObject[]): OpenApiDocument {
  return version2.get(`json ${keyOf(types, crds)}`, () => json(buildOpenApiV2(types, crds)));
}

/** `GET /openapi/v3`: where the document of each group-version is. */
export function openApiV3Index(types: readonly ResourceType[], crds: readonly KubeObject[]): OpenApiDocument {
  return version3.get(`index ${keyOf(types, crds)}`, () => {
    const own = new Map<string, KubeObject[]>();
    for (const crd of crds) {
      for (const path of groupVersionPaths([], [crd])) own.set(path, [...(own.get(path) ?? []), crd]);
    }
    const paths = groupVersionPaths(types, crds).map((path) => {
      const { hash } = documentAt(path, types, own.get(path) ?? []);
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
    });
    return json({ paths: Object.fromEntries(paths) });
  });
}

/** The document of one group-version, by its path in the index (`api/v1`, `apis/apps/v1`); undefined if not served. */
export function openApiV3Document(
  path: string,
  types: readonly ResourceType[],
  crds: readonly KubeObject[],
): OpenApiDocument | undefined {
  const own = crds.filter((crd) => groupVersionPaths([], [crd]).includes(path));
  if (own.length === 0 && !groupVersionPaths(types, []).includes(path)) return undefined;
  return documentAt(path, types, own);
}

/** `own` are the definitions with a version at `path`. */
function documentAt(
  path: string,
  types: readonly ResourceType[],
  own: readonly KubeObject[],
): OpenApiDocument {
  return version3.get(`${path} ${keyOf(types, own)}`, () => json(buildOpenApiV3(path, types, own)));
}

/** Only the specifications count: status changes make no other document. */
function keyOf(types: readonly ResourceType[], crds: readonly KubeObject[]): string {
  return contentKey(types, ...crds.map(({ spec }) => (isPlainObject(spec) ? spec : {})));
}

function json(value: unknown): OpenApiDocument {
  return document(Buffer.from(exactJson(value)));
}

function document(body: Buffer): OpenApiDocument {
  return { body, hash: sha256(body) };
}
