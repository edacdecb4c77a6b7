import { textAt, valueAt } from "../json/access.ts";
import { parseJson } from "../json/parse.ts";
import { matchesFields, selectedName } from "../selector/field-selector.ts";
import { matchesLabels } from "../selector/label-selector.ts";
import { failures } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ListQuery } from "./list-query.ts";
import { present } from "./present.ts";
import type { RegistryContext } from "./registry-context.ts";
import { keyOf, type ServedResource } from "./served-resource.ts";

/** One page of a list. */
export interface ListPage {
  readonly objects: readonly StoredObject[];
  /** The revision of the snapshot, the same for all its pages. */
  readonly revision: number;
  readonly continueToken: string | undefined;
  readonly remaining: number | undefined;
}

/** Where the next page starts, and in which snapshot; revision 0 asks for the newest. */
interface Position {
  readonly revision: number;
  readonly after: string;
}

/** Lists objects in the order of their keys. @throws StatusError 400, 410, 504 */
export async function listObjects(
  { store }: RegistryContext,
  resource: ServedResource,
  query: ListQuery,
): Promise<ListPage> {
  const position = query.continueToken === undefined ? undefined : parsePosition(query.continueToken);
  const revision = snapshotRevision(store.head, query, position);
  if (revision < store.compacted) throw expired(revision, store.compacted, position);
  const prefix = query.namespace ? `${query.namespace}/` : "";
  const all = candidates(
    () => store.rangeAt(resource.bucket, prefix, revision),
    query,
    (key) => (revision === store.head ? store.get(resource.bucket, key) : undefined),
  );
  const rest = position ? all.filter((stored) => stored.key > position.after) : all;
  const page = paged(resource, rest, query);
  await store.settled();
  return {
    ...page,
    revision,
    continueToken: page.last ? formatPosition({ revision, after: page.last }) : undefined,
  };
}

/** Whether an object, as its version shows it, is one the query asks for. */
export function matches(query: ListQuery, shown: StoredObject): boolean {
  if (query.labels.length > 0 && !matchesLabels(query.labels, shown.object.metadata.labels ?? {}))
    return false;
  return query.fields.length === 0 || matchesFields(query.fields, shown.object);
}

function snapshotRevision(head: number, query: ListQuery, position: Position | undefined): number {
  if (position) return position.revision || head;
  const { revision = 0, match } = query;
  if (revision > head) throw failures.tooLargeRevision(revision, head);
  return match === "Exact" ? revision : head;
}

/** A list of one named object in one namespace need not look at the others. */
function candidates(
  range: () => readonly StoredObject[],
  { namespace, fields }: ListQuery,
  get: (key: string) => StoredObject | undefined,
): readonly StoredObject[] {
  const name = selectedName(fields);
  const found = name ? get(keyOf(namespace, name)) : undefined;
  return found ? [found] : range();
}

function paged(
  resource: ServedResource,
  stored: readonly StoredObject[],
  query: ListQuery,
): {
  readonly objects: readonly StoredObject[];
  readonly last: string | undefined;
  readonly remaining: number | undefined;
} {
  const selects = query.labels.length > 0 || query.fields.length > 0;
  const objects: StoredObject[] = [];
  for (const [at, each] of stored.entries()) {
    const shown = present(resource, each);
    if (selects && !matches(query, shown)) continue;
    if (query.limit > 0 && objects.length === query.limit) {
      return { objects, last: objects.at(-1)?.key, remaining: selects ? undefined : stored.length - at };
    }
    objects.push(shown);
  }
  return { objects, last: undefined, remaining: undefined };
}

function formatPosition(position: Position): string {
  return Buffer.from(JSON.stringify({ v: 1, rv: position.revision, after: position.after })).toString(
    "base64url",
  );
}

function parsePosition(token: string): Position {
  const value = parseToken(token);
  const revision = valueAt(value, "rv");
  const after = textAt(value, "after");
  if (typeof revision !== "number" || !Number.isSafeInteger(revision) || revision < 0 || !after) {
    throw failures.badRequest("continue key is not valid: it was not made by this server");
  }
  return { revision, after };
}

function parseToken(token: string): unknown {
  try {
    return parseJson(Buffer.from(token, "base64url").toString());
  } catch {
    return undefined;
  }
}

function expired(revision: number, compacted: number, position: Position | undefined): Error {
  if (!position)
    return failures.expired(
      `The resourceVersion for the provided list is too old: ${revision} (${compacted})`,
    );
  return failures.expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list " +
      "without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
      "results. Continuing with the provided token results in an inconsistent list - objects that were created, " +
      "modified, or deleted between the time the first chunk was returned and now may show up in the list.",
    formatPosition({ revision: 0, after: position.after }),
  );
}
