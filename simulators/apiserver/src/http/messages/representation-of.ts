import type { KubeObject, Phases } from "@keelson/apimachinery";
import { exactJson, objectAt, parseExactJson } from "@keelson/base";
import { tableInRows, toTable } from "@keelson/wire-formats";
import type { ListPage } from "../../registry/list.ts";
import { apiVersionOf, type ServedResource } from "../../resources/served-resource.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import { encodedParts } from "./encoded-parts.ts";
import { bookmarkOf, listMeta } from "./list-meta.ts";
import { type Acceptance, mediaTypes } from "./negotiation.ts";
import { protobufObjects, protobufPartials } from "./protobuf-representation.ts";
import type { IncludeObject, Representation } from "./representation.ts";

/** Properties that differ between the JSON representations. All of them use the same framing. */
type JsonForm = Pick<Representation, "key" | "one" | "list" | "bookmark" | "reads">;

export function representationOf(
  resource: ServedResource,
  { media, as, metaVersion }: Acceptance,
  includeObject: IncludeObject,
  now: () => Date,
): Representation {
  const apiVersion = apiVersionOf(resource.type);
  const metaApiVersion = `meta.k8s.io/${metaVersion}`;
  const named = (representation: Representation): Representation => ({
    ...representation,
    key: `${apiVersion}/${resource.type.plural} ${representation.key}`,
  });
  if (media === "protobuf") {
    return named(as === "object" ? protobufObjects(resource) : protobufPartials(metaApiVersion));
  }
  const form =
    as === "object"
      ? objects(resource, apiVersion)
      : as === "Table"
        ? tables(resource, metaApiVersion, includeObject, now)
        : partials(metaApiVersion);
  const json: Representation = {
    contentType: mediaTypes.json,
    streamType: mediaTypes.json,
    frame: (type, object) =>
      Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, Buffer.from("}\n")]),
    failure: (status) => encode(status),
    ...form,
  };
  const whole = named(media === "json" ? json : asYaml(json));
  return as === "Table" ? { ...whole, afterFirst: withoutColumns(whole) } : whole;
}

function objects(resource: ServedResource, apiVersion: string): JsonForm {
  const { kind, origin } = resource.type;
  // Kubernetes omits `apiVersion` and `kind` in list items of built-in kinds. Custom resources keep both.
  const head = Buffer.from(`{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`);
  const item = ({ bytes }: StoredObject): readonly Buffer[] =>
    origin === "builtin" && bytes.subarray(0, head.length).equals(head)
      ? [brace, bytes.subarray(head.length)]
      : [bytes];
  return {
    key: "object",
    reads: "bytes",
    one: ({ bytes }) => bytes,
    list: (page) => listOf(apiVersion, resource.listKind, page, item),
    bookmark: (revision, annotations) => encode(bookmarkOf(apiVersion, kind, revision, annotations)),
  };
}

const brace = Buffer.from("{");
const comma = Buffer.from(",");

function partials(metaApiVersion: string): JsonForm {
  const kind = "PartialObjectMetadata";
  const one = ({ object }: StoredObject) => encode(partialOf(object, metaApiVersion));
  return {
    key: `partial ${metaApiVersion}`,
    reads: "objects",
    one,
    list: (page) => listOf(metaApiVersion, `${kind}List`, page, (each) => [one(each)]),
    bookmark: (revision, annotations) => encode(bookmarkOf(metaApiVersion, kind, revision, annotations)),
  };
}

function partialOf({ metadata }: KubeObject, metaApiVersion: string): KubeObject {
  return { kind: "PartialObjectMetadata", apiVersion: metaApiVersion, metadata };
}

function tables(
  { type }: ServedResource,
  apiVersion: string,
  includeObject: IncludeObject,
  now: () => Date,
): JsonForm {
  const options = () => ({ type, apiVersion, includeObject, now: now() });
  return {
    key: `table ${apiVersion} ${includeObject}`,
    reads: "objects",
    one: ({ object, revision }) =>
      encode(toTable({ ...options(), objects: [object], metadata: { resourceVersion: String(revision) } })),
    list: (page) => {
      const { head, row } = tableInRows({ ...options(), metadata: listMeta(page) });
      return documentOf(head, "rows", page, ({ object }) => [encode(row(object))]);
    },
    bookmark: (revision, annotations) => encode(bookmarkOf(apiVersion, "Table", revision, annotations)),
  };
}

/** Returns a table without column definitions. In a watch, only the first event has column definitions. */
function withoutColumns(table: Representation): Representation {
  const bare = (bytes: Buffer): Buffer => {
    const { columnDefinitions: _, ...rest } = objectAt(parseExactJson(bytes.toString()));
    return encode({ ...rest, columnDefinitions: [] });
  };
  return {
    ...table,
    key: `${table.key} without columns`,
    one: (stored) => bare(table.one(stored)),
    bookmark: (revision, annotations) => bare(table.bookmark(revision, annotations)),
  };
}

/** Converts a JSON representation to YAML. Streams do not support YAML. */
function asYaml(json: Representation): Representation {
  return { ...json, key: `yaml ${json.key}`, contentType: mediaTypes.yaml, text: "yaml" };
}

/** Concatenates the stored bytes, so the items need no serialization. */
function listOf(
  apiVersion: string,
  kind: string,
  page: ListPage,
  item: (stored: StoredObject) => readonly Buffer[],
): Phases<Buffer> {
  return documentOf({ kind, apiVersion, metadata: listMeta(page) }, "items", page, item);
}

/** Encodes a document. The encoded objects of the page are the last field of the document. */
function* documentOf(
  head: object,
  member: "items" | "rows",
  page: ListPage,
  item: (stored: StoredObject) => readonly Buffer[],
): Phases<Buffer> {
  const open = Buffer.from(`${exactJson(head).slice(0, -1)},"${member}":[`);
  let separator: readonly Buffer[] = [];
  const parts = yield* encodedParts(page, (stored) => {
    const part = [...separator, ...item(stored)];
    separator = [comma];
    return part;
  });
  return Buffer.concat([open, ...parts, Buffer.from("]}")]);
}

function encode(value: object): Buffer {
  return Buffer.from(exactJson(value));
}
