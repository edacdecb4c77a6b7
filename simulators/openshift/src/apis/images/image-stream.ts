import { isDeepStrictEqual } from "node:util";
import type { Admission, AggregatedResource, KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { textColumn } from "../columns.ts";
import { imageStreamColumns } from "./image-columns.ts";
import { imageGroup } from "./image-resources.ts";
import { imageStreamSubresources } from "./image-stream-subresources.ts";
import { internalRegistry } from "./internal-registry.ts";
import { specTag } from "./tag-history.ts";
import { validateImageStream } from "./validate-image-stream.ts";

export const imageStreamKind = {
  group: imageGroup,
  version: "v1",
  kind: "ImageStream",
  plural: "imagestreams",
} as const;

export function imageStreamResource(context: ApiContext): AggregatedResource {
  return {
    ...imageStreamKind,
    shortNames: ["is"],
    categories: ["all"],
    namespaced: true,
    status: true,
    columns: imageStreamColumns,
    mergeRules: { keys: { "spec.tags": "name", "status.tags": "tag" } },
    subresources: imageStreamSubresources(context),
  };
}

/** Images resource. An image's name is its digest. */
export const imageResource: AggregatedResource = {
  group: imageGroup,
  version: "v1",
  kind: "Image",
  plural: "images",
  namespaced: false,
  pathNames: true,
  columns: [textColumn("Image Reference", ".dockerImageReference")],
};

/** Sets OpenShift's ImageStream defaults and rejects images from registries that are not allowed. */
export function imageStreamAdmission(context: ApiContext): Admission {
  return {
    handles: ({ resource, operation, subresource }) =>
      resource.bucket === `${imageGroup}/imagestreams` && operation !== "DELETE" && subresource === "",
    mutate: async ({ object, oldObject, namespace, name }) => {
      if (!object) throw new Error("a write without an object");
      return completed(object, oldObject, `${internalRegistry}/${namespace}/${name || object.metadata.name}`);
    },
    validate: async ({ object, oldObject, namespace }) => {
      if (object) await validateImageStream(context, object, oldObject, namespace ?? "");
    },
  };
}

/**
 * Sets the generations of tags. A new tag or a tag with a changed source gets the stream's generation. All other tags keep their
 * generation. Imports compare generations to detect outdated results. Clients may set a tag's generation only to 0, which
 * requests a new import.
 */
function completed(stream: KubeObject, before: KubeObject | undefined, repository: string): KubeObject {
  const generation = stream.metadata.generation ?? 1;
  const next = before ? generation + 1 : generation;
  const namespace = stream.metadata.namespace ?? before?.metadata.namespace ?? "";
  const tags = listAt(stream, "spec", "tags").map((tag) => {
    const wanted = completedTag(objectAt(tag));
    const old = specTag(before, stringAt(tag, "name") ?? "");
    const asked = numberAt(tag, "generation");
    const isKept = old !== undefined && asked !== 0 && !hasNewSource(old, wanted, namespace);
    return { ...wanted, generation: isKept ? (numberAt(old, "generation") ?? next) : next };
  });
  return {
    ...stream,
    spec: {
      ...objectAt(stream, "spec"),
      lookupPolicy: { local: false, ...objectAt(stream, "spec", "lookupPolicy") },
      ...(valueAt(stream, "spec", "tags") === undefined ? {} : { tags }),
    },
    status: { ...objectAt(stream, "status"), dockerImageRepository: repository },
  };
}

function completedTag(tag: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    annotations: null,
    ...tag,
    importPolicy: { importMode: "Legacy", ...objectAt(tag, "importPolicy") },
    referencePolicy: { type: "Source", ...withoutEmpty(objectAt(tag, "referencePolicy")) },
  };
}

function withoutEmpty(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ""));
}

/** True if the tag's source has changed, by the rules of openshift-apiserver. */
function hasNewSource(old: Tag, wanted: Tag, namespace: string): boolean {
  const source = ({ from, reference }: Tag) => [
    stringAt(from, "namespace") || namespace,
    stringAt(from, "name") ?? "",
    reference ?? false,
  ];
  return valueAt(wanted, "from") !== undefined && !isDeepStrictEqual(source(old), source(wanted));
}

type Tag = Readonly<Record<string, unknown>>;
