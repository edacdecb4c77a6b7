import { isPlainObject, numberAt, stringAt, valueAt } from "@keelson/base";
import type { KubeChanges, ListSelection } from "./kube-api.ts";
import { isKubeObject, type KubeObject } from "./objects/kube-object.ts";
import { apiVersionOf, type KubeResource } from "./objects/kube-resource.ts";
import { pathOf, queryOf, selectorQuery } from "./request-path.ts";
import type { Fields } from "./responses/fields.ts";
import { errorOfStatus, KubeError } from "./responses/kube-error.ts";
import type { CollectedResponse } from "./responses/response-reader.ts";

/**
 * Duration of the watch in seconds. API servers send a bookmark two seconds before the end of a watch, so this is the shortest
 * duration with a bookmark. The bookmark arrives after one to two seconds.
 */
const watchSeconds = 3;
/** Time in ms after which the client closes a watch without a bookmark. */
export const changesLimitMs = 1_000 * (watchSeconds + 3);

/** Returns the path of a short watch that starts at `resourceVersion`. */
export function changesPath(
  resource: KubeResource,
  selection: ListSelection,
  resourceVersion: string,
): string {
  const query = queryOf({
    ...selectorQuery(selection),
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion,
    timeoutSeconds: watchSeconds,
  });
  return pathOf(resource, selection.namespace) + query;
}

/** Returns the fields of a watch event for the fields of its object. Includes the fields of bookmarks and errors. */
export function eventFields(fields: Fields): Fields {
  if (typeof fields === "boolean") return fields;
  const { metadata = false } = fields;
  const ofMetadata = typeof metadata === "boolean" ? metadata : { ...metadata, resourceVersion: true };
  return {
    type: true,
    object: { ...fields, metadata: ofMetadata, code: true, reason: true, message: true },
  };
}

const bookmark = Buffer.from('{"type":"BOOKMARK"');
const newLine = 0x0a;
const comma = 0x2c;

/** Returns true if the last line of a chunk is a bookmark. */
export function endsWithBookmark(chunk: Buffer): boolean {
  if (chunk.at(-1) !== newLine) return false;
  const start = chunk.lastIndexOf(newLine, -2) + 1;
  return chunk.subarray(start, start + bookmark.length).equals(bookmark);
}

/**
 * Converts the lines of a watch to a JSON array, which ends with an additional `null`. JSON strings contain no line breaks, so each
 * line break separates two events.
 */
export function asArray({ chunks, ...response }: CollectedResponse): CollectedResponse {
  for (const chunk of chunks) {
    for (let at = chunk.indexOf(newLine); at >= 0; at = chunk.indexOf(newLine, at + 1)) chunk[at] = comma;
  }
  const [start, end] = [Buffer.from("["), Buffer.from("null]")];
  chunks.unshift(start);
  chunks.push(end);
  return { ...response, chunks, bytes: response.bytes + start.length + end.length };
}

/**
 * Returns the changes of a short watch. Events after the last bookmark are included.
 * @throws KubeError for an ERROR event, for an invalid event, and if the watch ended without a bookmark
 */
export function changesOf<T extends KubeObject>(
  resource: KubeResource<T>,
  events: readonly unknown[],
  request: string,
): KubeChanges<T> {
  const changes: { type: "changed" | "deleted"; object: T }[] = [];
  let resourceVersion: string | undefined;
  for (const event of events) {
    if (event === null) continue;
    const type = stringAt(event, "type");
    const object = valueAt(event, "object");
    if (type === "ERROR" && isPlainObject(object))
      throw errorOfStatus(object, numberAt(object, "code") ?? 500, request);
    const version = stringAt(object, "metadata", "resourceVersion");
    if (type === "BOOKMARK" && version !== undefined) resourceVersion = version;
    else if ((type === "ADDED" || type === "MODIFIED" || type === "DELETED") && isPlainObject(object)) {
      const { apiVersion = apiVersionOf(resource), kind = resource.kind } = object;
      const typed = { ...object, apiVersion, kind };
      if (!isKubeObject(typed)) throw invalid(request);
      changes.push({ type: type === "DELETED" ? "deleted" : "changed", object: typed as T });
      if (resourceVersion !== undefined && version !== undefined) resourceVersion = version;
    } else throw invalid(request);
  }
  if (resourceVersion === undefined)
    throw new KubeError(0, "Timeout", `${request} sent no bookmark within ${watchSeconds} seconds`);
  return { changes, resourceVersion };
}

function invalid(request: string): KubeError {
  return new KubeError(0, "InvalidAnswer", `${request} sent a line that is not an event`);
}
