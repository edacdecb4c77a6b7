import { failures, matchesFields, matchesLabels, selectedName, sharedTurns } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import type { RegistryContext } from "../resources/registry-context.ts";
import { keyOf, type ServedResource } from "../resources/served-resource.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { awaitRevision } from "./await-revision.ts";
import { formatPosition, type Position, parsePosition } from "./continue-token.ts";
import type { ListQuery } from "./list-query.ts";
import { prepare, presenter } from "./present.ts";

/** Page of a list. */
export interface ListPage {
  readonly objects: readonly StoredObject[];
  /** Revision of the list's snapshot. All pages have the same revision. */
  readonly revision: number;
  readonly continueToken: string | undefined;
  readonly remaining: number | undefined;
}

/** Lists durable objects in key order. @throws StatusError 400, 410, 504 */
export async function listObjects(
  context: RegistryContext,
  resource: ServedResource,
  query: ListQuery,
  budget?: WorkBudget,
): Promise<ListPage> {
  const { store } = context;
  const { namespace, continueToken, match, revision: wanted = 0 } = query;
  const list = `${resource.bucket} ${namespace ?? ""}`;
  const position = continueToken ? parsePosition(store, list, continueToken) : undefined;
  const exact = isExact(query);
  if (!exact && !position && wanted > store.head) await awaitRevision(context, wanted);
  const revision = position ? position.revision || store.head : exact ? wanted : store.head;
  if (revision < store.compacted) throw expired(context, list, position);
  if (revision > store.head) throw failures.tooLargeRevision(revision, store.head);
  // A list at any revision (`resourceVersion=0`) has a single page, as in kube-apiserver's cache.
  const limit = !position && query.revision === 0 && match !== "Exact" ? 0 : query.limit;
  const found = candidates(context, resource, query, revision, position);
  await prepare(context, resource, found);
  const page = await paged(context, resource, found, query, limit, budget);
  return {
    ...page,
    revision,
    continueToken: page.last ? formatPosition(store, list, { revision, after: page.last }) : undefined,
  };
}

/** True if an object matches the query's selectors. `shown` is the object in the resource's version. */
export function matches(
  { labels, fields }: Pick<ListQuery, "labels" | "fields">,
  shown: Pick<StoredObject, "key" | "labels" | "object">,
): boolean {
  if (labels.length > 0 && !matchesLabels(labels, shown.labels)) return false;
  return fields.length === 0 || matchesFields(fields, shown);
}

/**
 * True if the list must be at exactly the requested revision. Without `resourceVersionMatch`, only the first page of a limited
 * list must be at this revision.
 */
function isExact({ match, revision = 0, limit, continueToken }: ListQuery): boolean {
  return match === "Exact" || (match === undefined && revision > 0 && limit > 0 && !continueToken);
}

/**
 * Returns the objects that a query can select, as they were at a revision. A query by namespace and name reads only that object.
 */
export function candidates(
  { store }: RegistryContext,
  { bucket, type }: ServedResource,
  { namespace, fields }: ListQuery,
  revision: number,
  position?: Position,
): readonly StoredObject[] {
  const name = selectedName(fields);
  if (name && (namespace || !type.namespaced) && revision === store.head && !position) {
    const found = store.getDurable(bucket, keyOf(namespace, name));
    return found ? [found] : [];
  }
  return store.rangeAt(bucket, namespace ? `${namespace}/` : "", revision, position?.after);
}

interface Paged {
  readonly objects: readonly StoredObject[];
  /** Key of the page's last object. Undefined on the last page. */
  readonly last: string | undefined;
  readonly remaining: number | undefined;
}

/** Number of object bytes after which the selection yields to other requests. */
const selectedBytes = 262_144;
/** Number of evaluated selector terms after which the selection yields to other requests. */
const selectedTerms = 50_000;

async function paged(
  { store }: RegistryContext,
  resource: ServedResource,
  stored: readonly StoredObject[],
  query: ListQuery,
  limit: number,
  budget: WorkBudget | undefined,
): Promise<Paged> {
  const present = presenter(resource);
  const selects = query.labels.length > 0 || query.fields.length > 0;
  const whole = limit === 0 || stored.length <= limit;
  if (!selects && whole) {
    return { objects: present ? stored.map(present) : stored, last: undefined, remaining: undefined };
  }
  const objects: StoredObject[] = [];
  const terms = query.labels.length + query.fields.length;
  let [bytes, asked] = [0, 0];
  for (const [at, each] of stored.entries()) {
    bytes += each.bytes.length;
    asked += terms;
    if (bytes > selectedBytes || asked > selectedTerms) {
      budget?.spend(asked, bytes);
      [bytes, asked] = [0, 0];
      await sharedTurns.next(store, budget);
    }
    const shown = present ? present(each) : each;
    if (selects && !matches(query, shown)) continue;
    if (limit > 0 && objects.length === limit) {
      return { objects, last: objects.at(-1)?.key, remaining: selects ? undefined : stored.length - at };
    }
    objects.push(shown);
  }
  return { objects, last: undefined, remaining: undefined };
}

function expired({ store }: RegistryContext, list: string, position: Position | undefined): Error {
  if (!position) return failures.expired("The resourceVersion for the provided list is too old.");
  return failures.expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list " +
      "without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
      "results. Continuing with the provided token results in an inconsistent list - objects that were created, " +
      "modified, or deleted between the time the first chunk was returned and now may show up in the list.",
    formatPosition(store, list, { revision: 0, after: position.after }),
  );
}
