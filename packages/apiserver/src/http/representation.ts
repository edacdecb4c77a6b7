import { stringify } from "yaml";
import type { KubeObject } from "../kube-object.ts";
import type { ListPage } from "../registry/list.ts";
import { apiVersionOf, type ServedResource } from "../registry/served-resource.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { toTable } from "../table/index.ts";
import type { Acceptance } from "./negotiation.ts";

/** What a table's rows carry of their objects. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** Turns objects of one resource into the bytes that one kind of client asked for. */
export interface Representation {
  /** Equal keys make equal bytes: what was encoded for one watcher serves the next. */
  readonly key: string;
  readonly contentType: string;
  one(stored: StoredObject): Buffer;
  list(page: ListPage): Buffer;
  /** An object that tells nothing but a revision. */
  bookmark(revision: number, annotations: Readonly<Record<string, string>> | undefined): Buffer;
}

const metaApiVersion = "meta.k8s.io/v1";

export function representationOf(
  resource: ServedResource,
  acceptance: Acceptance,
  includeObject: IncludeObject,
  now: () => Date,
): Representation {
  const apiVersion = apiVersionOf(resource.type);
  const json = {
    object: () => objects(apiVersion, resource.type.kind, resource.listKind),
    partial: () => partials(),
    table: () => tables(resource, includeObject, now),
  }[acceptance.as]();
  const named = { ...json, key: `${apiVersion}/${resource.type.plural} ${json.key}` };
  return acceptance.media === "application/json" ? named : asYaml(named);
}

function objects(apiVersion: string, kind: string, listKind: string): Representation {
  return {
    key: "object",
    contentType: "application/json",
    one: ({ bytes }) => bytes,
    list: (page) =>
      listOf(
        apiVersion,
        listKind,
        page,
        page.objects.map(({ bytes }) => bytes),
      ),
    bookmark: (revision, annotations) => bookmarkOf(apiVersion, kind, revision, annotations),
  };
}

function partials(): Representation {
  const one = ({ object }: StoredObject) => encode(partial(object));
  return {
    key: "partial",
    contentType: "application/json",
    one,
    list: (page) => listOf(metaApiVersion, "PartialObjectMetadataList", page, page.objects.map(one)),
    bookmark: (revision, annotations) =>
      bookmarkOf(metaApiVersion, "PartialObjectMetadata", revision, annotations),
  };
}

function partial({ metadata }: KubeObject): KubeObject {
  return { kind: "PartialObjectMetadata", apiVersion: metaApiVersion, metadata };
}

function tables({ type }: ServedResource, includeObject: IncludeObject, now: () => Date): Representation {
  return {
    key: `table ${includeObject}`,
    contentType: "application/json",
    one: ({ object, revision }) =>
      encode(
        toTable({ type, objects: [object], resourceVersion: String(revision), includeObject, now: now() }),
      ),
    list: ({ objects: shown, revision, continueToken, remaining }) =>
      encode(
        toTable({
          type,
          objects: shown.map(({ object }) => object),
          resourceVersion: String(revision),
          ...(continueToken ? { continue: continueToken } : {}),
          ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
          includeObject,
          now: now(),
        }),
      ),
    bookmark: (revision, annotations) => bookmarkOf(metaApiVersion, "Table", revision, annotations),
  };
}

function asYaml(json: Representation): Representation {
  const convert = (bytes: Buffer) => Buffer.from(stringify(JSON.parse(bytes.toString())));
  return {
    key: `yaml ${json.key}`,
    contentType: "application/yaml",
    one: (stored) => convert(json.one(stored)),
    list: (page) => convert(json.list(page)),
    bookmark: (revision, annotations) => convert(json.bookmark(revision, annotations)),
  };
}

/** Copies the bytes of the items: a list costs no serialisation. */
function listOf(apiVersion: string, kind: string, page: ListPage, items: readonly Buffer[]): Buffer {
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.continueToken ? { continue: page.continueToken } : {}),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(metadata)},"items":[`;
  const comma = Buffer.from(",");
  const parts = items.flatMap((item, at) => (at === 0 ? [item] : [comma, item]));
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.from("]}")]);
}

function bookmarkOf(
  apiVersion: string,
  kind: string,
  revision: number,
  annotations: Readonly<Record<string, string>> | undefined,
): Buffer {
  const metadata = {
    resourceVersion: String(revision),
    ...(annotations ? { annotations } : {}),
  };
  return encode({ kind, apiVersion, metadata });
}

function encode(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
