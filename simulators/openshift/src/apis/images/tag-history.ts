import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";

/** Current or previous image of a tag (image.openshift.io/v1 TagEvent). */
export interface TagItem {
  /** Time in RFC 3339 format, in seconds. */
  readonly created: string;
  readonly dockerImageReference: string;
  /** Name of the Image object: the image's digest. */
  readonly image: string;
  readonly generation: number;
}

/** Import error of a tag (TagEventCondition of type ImportSuccess). */
export interface ImportFailure {
  readonly reason: string;
  readonly message: string;
}

/** Maximum number of images in the history of a tag. OpenShift prunes the history with `oc adm prune images`. */
export const maxTagItems = 50;

type Status = Readonly<Record<string, unknown>>;

/** Returns a tag in the stream's spec. `undefined` if the spec has no such tag. */
export function specTag(stream: unknown, tag: string): Readonly<Record<string, unknown>> | undefined {
  const found = listAt(stream, "spec", "tags").find((each) => stringAt(each, "name") === tag);
  return found === undefined ? undefined : objectAt(found);
}

/** Returns a tag in the stream's status. `undefined` if the status has no such tag. */
export function statusTag(stream: unknown, tag: string): Readonly<Record<string, unknown>> | undefined {
  const found = listAt(stream, "status", "tags").find((each) => stringAt(each, "tag") === tag);
  return found === undefined ? undefined : objectAt(found);
}

/** Returns the current image of a tag. `undefined` if the tag never had an image. */
export function latestItem(stream: unknown, tag: string): TagItem | undefined {
  const [first] = listAt(statusTag(stream, tag), "items");
  return first === undefined ? undefined : itemOf(first);
}

export function itemOf(item: unknown): TagItem {
  return {
    created: stringAt(item, "created") ?? "",
    dockerImageReference: stringAt(item, "dockerImageReference") ?? "",
    image: stringAt(item, "image") ?? "",
    generation: numberAt(item, "generation") ?? 0,
  };
}

/** Returns the highest generation in a tag's current image and conditions. */
export function importedGeneration(stream: unknown, tag: string): number {
  const status = statusTag(stream, tag);
  const generations = [...listAt(status, "items").slice(0, 1), ...listAt(status, "conditions")].map(
    (each) => numberAt(each, "generation") ?? 0,
  );
  return Math.max(0, ...generations);
}

/**
 * Returns the stream with a new current image of a tag. If the image is already the tag's current image, only the generation
 * changes. The oldest images above `maxTagItems` are removed.
 */
export function withItem(stream: KubeObject, tag: string, item: TagItem): KubeObject {
  const [latest, ...older] = listAt(statusTag(stream, tag), "items");
  const same =
    stringAt(latest, "image") === item.image &&
    stringAt(latest, "dockerImageReference") === item.dockerImageReference;
  const items = same
    ? [{ ...objectAt(latest), generation: item.generation }, ...older]
    : [item, ...(latest === undefined ? [] : [latest]), ...older];
  return withTag(stream, tag, { tag, items: items.slice(0, maxTagItems) });
}

/**
 * Returns the stream with an import error of a tag. If the tag already has this error, the condition's transition time does not
 * change.
 */
export function withFailure(
  stream: KubeObject,
  tag: string,
  failure: ImportFailure,
  generation: number,
  now: string,
): KubeObject {
  const status = statusTag(stream, tag);
  const before = listAt(status, "conditions").find((each) => stringAt(each, "type") === "ImportSuccess");
  const same =
    stringAt(before, "reason") === failure.reason && stringAt(before, "message") === failure.message;
  const lastTransitionTime = (same ? stringAt(before, "lastTransitionTime") : undefined) ?? now;
  const condition = { type: "ImportSuccess", status: "False", lastTransitionTime, ...failure, generation };
  const items = valueAt(status, "items") ?? null;
  return withTag(stream, tag, { tag, items, conditions: [condition] });
}

/** Returns the stream without a tag's status. */
export function withoutTag(stream: KubeObject, tag: string): KubeObject {
  return withTags(
    stream,
    listAt(stream, "status", "tags").filter((each) => stringAt(each, "tag") !== tag),
  );
}

function withTag(stream: KubeObject, tag: string, value: Status): KubeObject {
  const tags = listAt(stream, "status", "tags");
  const known = tags.some((each) => stringAt(each, "tag") === tag);
  return withTags(
    stream,
    known ? tags.map((each) => (stringAt(each, "tag") === tag ? value : each)) : [...tags, value],
  );
}

function withTags(stream: KubeObject, tags: readonly unknown[]): KubeObject {
  return { ...stream, status: { ...objectAt(stream, "status"), tags } };
}
