import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { computedColumn, textColumn } from "../columns.ts";
import { relativeTime } from "../relative-time.ts";

const width = 40;

/** Table columns of ImageStreams (openshift/openshift-apiserver pkg/image/printers). */
export const imageStreamColumns = [
  computedColumn(
    "Image Repository",
    (stream) =>
      stringAt(stream, "status", "publicDockerImageRepository") ||
      stringAt(stream, "spec", "dockerImageRepository") ||
      stringAt(stream, "status", "dockerImageRepository") ||
      "",
  ),
  computedColumn("Tags", (stream) => {
    const tags = newestTags(stream).map(({ tag }) => tag);
    const shown = tags.slice(0, shownTags(tags));
    const hidden = tags.length - shown.length;
    return `${shown.join(",")}${hidden > 0 ? ` + ${hidden} more...` : ""}`;
  }),
  computedColumn("Updated", (stream, now) => {
    const created = newestTags(stream)[0]?.created;
    return created ? relativeTime(created, now) : "";
  }),
];

export const imageStreamTagColumns = [
  textColumn("Image Reference", ".image.dockerImageReference"),
  computedColumn("Updated", (tag, now) => relativeTime(tag.metadata.creationTimestamp ?? "", now)),
  { ...textColumn("Image Name", ".image.metadata.name"), priority: 1 },
];

/** Returns the tags in a stream's status, sorted by the newest image first. */
function newestTags(stream: KubeObject): readonly { readonly tag: string; readonly created: string }[] {
  return listAt(stream, "status", "tags")
    .map((each) => ({
      tag: stringAt(each, "tag") ?? "",
      created: stringAt(listAt(each, "items")[0], "created") ?? "",
    }))
    .sort((a, b) => {
      if (a.created !== b.created) return a.created > b.created ? -1 : 1;
      return a.tag < b.tag ? -1 : 1;
    });
}

/**
 * Returns the number of tags to print in the column, at least one. The last printed tag may exceed the column width by up to a
 * quarter of the width. It may do so only if more than a quarter of the column would be empty without this tag.
 */
function shownTags(tags: readonly string[]): number {
  let remaining = width;
  for (const [index, { length }] of tags.entries()) {
    remaining -= length + 1;
    if (remaining >= 0) continue;
    if (index === 0) return 1;
    const margin = Math.floor(width / 4);
    if (!(margin < remaining + length && margin >= -remaining)) return index;
  }
  return tags.length;
}
