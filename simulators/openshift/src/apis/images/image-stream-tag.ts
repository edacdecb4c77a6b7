import type { AggregatedResource, KubeObject, NamedCall, ResourceCall } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { ensureObject } from "../../base/objects.ts";
import type { ApiContext } from "../api-context.ts";
import { textColumn } from "../columns.ts";
import { failures } from "../failures.ts";
import { changeObject } from "../optimistic-write.ts";
import { imageStreamTagColumns } from "./image-columns.ts";
import { imageApiVersion, imageGroup, imageStreams, images, named } from "./image-resources.ts";
import { itemOf, latestItem, specTag, statusTag, withoutTag } from "./tag-history.ts";

const subject = named("imagestreamtags");
type Key = { readonly namespace: string | undefined; readonly stream: string; readonly tag: string };

/** ImageStreamTags: the tags of ImageStreams with their current images. Their names have the form `stream:tag`. */
export function imageStreamTagResource(context: ApiContext): AggregatedResource {
  return {
    group: imageGroup,
    version: "v1",
    kind: "ImageStreamTag",
    plural: "imagestreamtags",
    shortNames: ["istag"],
    namespaced: true,
    columns: imageStreamTagColumns,
    handlers: tagHandlers(context, {
      show: imageStreamTag,
      specOf: (object) =>
        object.tag === null || object.tag === undefined ? undefined : objectAt(object, "tag"),
    }),
  };
}

/** ImageTags: the tags of ImageStreams with their specs and complete histories. */
export function imageTagResource(context: ApiContext): AggregatedResource {
  return {
    group: imageGroup,
    version: "v1",
    kind: "ImageTag",
    plural: "imagetags",
    shortNames: ["itag"],
    namespaced: true,
    columns: [textColumn("Spec", ".spec.from.name"), textColumn("Image", ".image.dockerImageReference")],
    handlers: tagHandlers(context, {
      show: imageTag,
      specOf: (object) =>
        object.spec === null || object.spec === undefined ? undefined : objectAt(object, "spec"),
    }),
  };
}

interface TagView {
  /**
   * Converts a stream's tag to an object of the resource. Returns `undefined` if the tag has no object in the resource. For
   * example, a tag without an image has no ImageStreamTag.
   */
  readonly show: (stream: KubeObject, tag: string, image: KubeObject | undefined) => KubeObject | undefined;
  /**
   * Returns the `spec.tags` entry that a client sent in an object of the resource. Returns `undefined` if the object contains no
   * entry.
   */
  readonly specOf: (object: KubeObject) => Readonly<Record<string, unknown>> | undefined;
}

function tagHandlers(
  context: ApiContext,
  { show, specOf }: TagView,
): NonNullable<AggregatedResource["handlers"]> {
  const { client } = context;
  const read = async (key: Key): Promise<KubeObject> => {
    const stream = await client.get(imageStreams, { namespace: key.namespace, name: key.stream });
    const item = latestItem(stream, key.tag);
    const image = item && (await client.find(images, { name: item.image }));
    const shown = show(stream, key.tag, image);
    if (!shown) throw failures.notFound(subject, `${key.stream}:${key.tag}`);
    return shown;
  };
  const write = async (call: ResourceCall, object: KubeObject, exists: boolean): Promise<KubeObject> => {
    const key = keyOf(call, object.metadata.name);
    const wanted = specOf(object);
    const { annotations } = object.metadata;
    const reference = { ...wanted, name: key.tag, ...(annotations ? { annotations } : {}) };
    if (!call.dryRun) {
      if (!exists) await ensureObject(client, imageStreams, emptyStream(key));
      await changeObject(
        client,
        imageStreams,
        { namespace: key.namespace, name: key.stream },
        "main",
        (stream) => {
          if (!exists && specTag(stream, key.tag))
            throw failures.alreadyExists(subject, object.metadata.name);
          return withSpecTag(stream, key.tag, reference);
        },
      );
    }
    const stream =
      (await client.find(imageStreams, { namespace: key.namespace, name: key.stream })) ?? emptyStream(key);
    const item = latestItem(stream, key.tag);
    const image = item && (await client.find(images, { name: item.image }));
    return show(stream, key.tag, image) ?? barely(object, stream, key);
  };
  return {
    get: (call) => read(keyOf(call, call.name)),
    list: async ({ namespace }) => {
      const { items, resourceVersion } = await client.list(imageStreams, { namespace });
      const stored = new Map((await client.list(images)).items.map((each) => [each.metadata.name, each]));
      const shown = items.flatMap((stream) => {
        const tags = new Set([
          ...listAt(stream, "spec", "tags").map((each) => stringAt(each, "name") ?? ""),
          ...listAt(stream, "status", "tags").map((each) => stringAt(each, "tag") ?? ""),
        ]);
        return [...tags].flatMap(
          (tag) => show(stream, tag, stored.get(latestItem(stream, tag)?.image ?? "")) ?? [],
        );
      });
      return { items: shown, resourceVersion };
    },
    create: (call, object) => write(call, object, false),
    update: (call, object) => write(call, object, true),
    delete: async (call) => {
      const key = keyOf(call, call.name);
      const where = { namespace: key.namespace, name: key.stream };
      const stream = await client.get(imageStreams, where);
      if (!specTag(stream, key.tag) && !statusTag(stream, key.tag))
        throw failures.notFound(subject, call.name);
      if (call.dryRun) return undefined;
      await changeObject(client, imageStreams, where, "main", (current) =>
        withSpecTag(current, key.tag, undefined),
      );
      await changeObject(client, imageStreams, where, "status", (current) => withoutTag(current, key.tag));
      return undefined;
    },
  };
}

/** Parses the name of a tag. @throws StatusError 400 if the name does not have the form `stream:tag` */
function keyOf({ namespace }: ResourceCall | NamedCall, name: string): Key {
  const [stream, tag, ...rest] = name.split(":");
  if (!stream || !tag || rest.length > 0) {
    throw failures.badRequest("imageStreamTags must be retrieved with <name>:<tag>");
  }
  return { namespace, stream, tag };
}

function emptyStream({ namespace, stream }: Key): KubeObject {
  return {
    apiVersion: imageApiVersion,
    kind: "ImageStream",
    metadata: { name: stream, ...(namespace === undefined ? {} : { namespace }) },
    spec: {},
  };
}

function withSpecTag(
  stream: KubeObject,
  tag: string,
  reference: Readonly<Record<string, unknown>> | undefined,
): KubeObject {
  const tags = listAt(stream, "spec", "tags");
  const others = tags.filter((each) => stringAt(each, "name") !== tag);
  return {
    ...stream,
    spec: { ...objectAt(stream, "spec"), tags: reference ? [...others, reference] : others },
  };
}

function metadataOf(stream: KubeObject, tag: string, created: string | undefined): KubeObject["metadata"] {
  const { namespace, uid, resourceVersion, creationTimestamp, labels } = stream.metadata;
  const time = created || creationTimestamp;
  return {
    name: `${stream.metadata.name}:${tag}`,
    ...(namespace ? { namespace } : {}),
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(time ? { creationTimestamp: time } : {}),
    ...(labels ? { labels } : {}),
  };
}

function imageStreamTag(
  stream: KubeObject,
  tag: string,
  image: KubeObject | undefined,
): KubeObject | undefined {
  const item = latestItem(stream, tag);
  if (!item) return undefined;
  const spec = specTag(stream, tag);
  const annotations = { ...image?.metadata.annotations, ...stringMapAt(spec, "annotations") };
  const conditions = listAt(statusTag(stream, tag), "conditions");
  return {
    kind: "ImageStreamTag",
    apiVersion: imageApiVersion,
    metadata: {
      ...metadataOf(stream, tag, item.created),
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    tag: spec ?? null,
    generation: item.generation,
    lookupPolicy: { local: false, ...objectAt(stream, "spec", "lookupPolicy") },
    ...(conditions.length > 0 ? { conditions } : {}),
    image: image
      ? {
          ...image,
          metadata: { ...image.metadata, annotations },
          dockerImageReference: item.dockerImageReference,
        }
      : { metadata: { name: item.image }, dockerImageReference: item.dockerImageReference },
  };
}

function imageTag(stream: KubeObject, tag: string, image: KubeObject | undefined): KubeObject | undefined {
  const spec = specTag(stream, tag);
  const status = statusTag(stream, tag);
  if (!spec && !status) return undefined;
  const conditions = listAt(status, "conditions");
  return {
    kind: "ImageTag",
    apiVersion: imageApiVersion,
    metadata: metadataOf(stream, tag, latestItem(stream, tag)?.created),
    spec: spec ?? null,
    status: status
      ? {
          tag,
          items: listAt(status, "items").map(itemOf),
          ...(conditions.length > 0 ? { conditions } : {}),
        }
      : null,
    image: image ?? null,
  };
}

/** Returns the response to a write of a tag that has no image yet. */
function barely(object: KubeObject, stream: KubeObject, { tag }: Key): KubeObject {
  const generation = numberAt(specTag(stream, tag), "generation") ?? 0;
  return {
    kind: object.kind,
    apiVersion: imageApiVersion,
    metadata: metadataOf(stream, tag, undefined),
    tag: specTag(stream, tag) ?? null,
    generation,
    lookupPolicy: { local: false },
    image: {
      metadata: {},
      dockerImageMetadata: null,
      dockerImageMetadataVersion: "",
      dockerImageLayers: null,
    },
  };
}
