import type { SqlQuerySpec } from "@azure/cosmos";
import type { Collection, Document, ListPage, ListQuery, Stored } from "../documents/collection.ts";
import { decodeContinuation, encodeContinuation } from "../documents/continuation.ts";
import { errors } from "../documents/errors.ts";
import { isColumnText } from "../documents/table.ts";
import type { CosmosContext } from "./context.ts";
import {
  type CosmosDefinition,
  type DocumentItem,
  documentItemId,
  isStorable,
  type Versioned,
} from "./items.ts";
import { joinSortable, sortableParts } from "./sortable.ts";

type FoundItem = Versioned<DocumentItem>;

/** Creates the read operations of one collection. */
export function cosmosCollection<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
): Collection<T> {
  return {
    definition: store.definition,
    find: (partitionKey, id, signal) => findDocument(context, store, partitionKey, id, signal),
    findBy: (partitionKey, key, value, signal) =>
      findBy(context, store, { partitionKey, key, value, signal }),
    list: (query, signal) => list(context, store, query, [], signal),
    listOutdated: (query, signal) => list(context, store, query, outdated(store), signal),
    countOutdated: (signal) => countOutdated(context, store, signal),
  };
}

export async function findDocument<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
  partitionKey: string,
  id: string,
  signal: AbortSignal,
): Promise<Stored<T> | undefined> {
  const item = await findItem(context, store, partitionKey, id, signal);
  return item && decode(store, item);
}

async function findItem<T extends Document>(
  { connection }: CosmosContext,
  { definition }: CosmosDefinition<T>,
  partitionKey: string,
  id: string,
  signal: AbortSignal,
): Promise<FoundItem | undefined> {
  if (!isStorable(definition.name, partitionKey, id)) return undefined;
  const itemId = documentItemId(definition.name, id);
  return connection.read<FoundItem>(connection.documents, partitionKey, itemId, signal);
}

interface KeyQuery {
  readonly partitionKey: string | undefined;
  readonly key: string;
  readonly value: string | number;
  readonly signal: AbortSignal;
}

async function findBy<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
  { partitionKey, key, value, signal }: KeyQuery,
): Promise<Stored<T> | undefined> {
  const { definition } = store;
  keyOf(store, key);
  if (!isColumnText(partitionKey) || !isColumnText(value)) return undefined;
  if (definition.unique.includes(key)) {
    return findByReservation(context, store, { partitionKey, key, value, signal });
  }
  const query = select(definition.name, 2, [[`c.keys["${key}"] = @value`, "@value", value]]);
  const { connection } = context;
  const found = await connection.query<FoundItem>(connection.documents, query, partitionKey, signal);
  if (found.length > 1) {
    throw errors.AmbiguousKey(`Several documents of ${definition.name} have ${key} ${value}.`);
  }
  return found[0] && decode(store, found[0]);
}

/** Finds a document by a unique value with two point reads, instead of a query over all partitions. */
async function findByReservation<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
  { partitionKey, key, value, signal }: KeyQuery,
): Promise<Stored<T> | undefined> {
  const collection = store.definition.name;
  const reservation = await context.reservations.find({ collection, key, value }, signal);
  if (!reservation) return undefined;
  const { holder } = reservation;
  if (partitionKey !== undefined && holder.partitionKey !== partitionKey) return undefined;
  const item = await findItem(context, store, holder.partitionKey, holder.id, signal);
  return item?.keys[key] === value ? decode(store, item) : undefined;
}

async function list<T extends Document>(
  { connection }: CosmosContext,
  store: CosmosDefinition<T>,
  query: ListQuery,
  alsoWhere: readonly Condition[],
  signal: AbortSignal,
): Promise<ListPage<T>> {
  const { limit, partitionKey, orderBy } = query;
  if (!Number.isInteger(limit) || limit < 1) {
    throw errors.InvalidQuery(`The limit ${limit} is not a whole number from 1.`);
  }
  const order = orderBy === undefined ? "c.sort.id" : `c.sort.keys["${keyOf(store, orderBy)}"]`;
  const conditions = conditionsOf(store, query);
  if (!conditions || !isColumnText(partitionKey)) return { items: [] };
  const start = startOf(query);
  conditions.push(start === undefined ? [`IS_DEFINED(${order})`] : [`${order} > @start`, "@start", start]);
  const all = [...conditions, ...alsoWhere];
  const page = select(store.definition.name, limit + 1, all, ` ORDER BY ${order}`);
  const found = await connection.query<FoundItem>(connection.documents, page, partitionKey, signal);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const stored = items.map((item) => decode(store, item));
  if (found.length <= limit || !last) return { items: stored };
  return { items: stored, continuation: continuationAfter(last, orderBy) };
}

type Condition = readonly [text: string, parameter?: string, value?: string | number];

/** Returns the query conditions. Returns `undefined` if no document can match. */
function conditionsOf<T extends Document>(
  store: CosmosDefinition<T>,
  { where: equalTo = {}, prefix }: ListQuery,
): Condition[] | undefined {
  const equal = Object.entries(equalTo).map(([key, value], index): Condition => {
    return [`c.keys["${keyOf(store, key)}"] = @where${index}`, `@where${index}`, value];
  });
  const starts = prefix && { path: `c.keys["${keyOf(store, prefix.key)}"]`, value: prefix.value };
  if (![...equal.map(([, , value]) => value), prefix?.value].every(isColumnText)) return undefined;
  if (!starts || starts.value === "") return equal;
  return [...equal, [`STARTSWITH(${starts.path}, @prefix)`, "@prefix", starts.value]];
}

/**
 * Returns the key after checking that the definition contains it. A checked key is safe in a query.
 * @throws InvalidQuery
 */
function keyOf<T extends Document>({ definition }: CosmosDefinition<T>, key: string): string {
  if (Object.hasOwn(definition.keys, key)) return key;
  throw errors.InvalidQuery(`${definition.name} has no key ${key}.`);
}

function select(
  collection: string,
  limit: number,
  conditions: readonly Condition[],
  order = "",
): SqlQuerySpec {
  const { text, parameters } = where(collection, conditions);
  return { query: `SELECT TOP ${limit} * FROM c WHERE ${text}${order}`, parameters };
}

function where(collection: string, conditions: readonly Condition[]) {
  const all: readonly Condition[] = [
    ['c.kind = "document"'],
    ["c.collection = @collection", "@collection", collection],
    ...conditions,
  ];
  const parameters = all.flatMap(([, name, value]) =>
    name === undefined || value === undefined ? [] : [{ name, value }],
  );
  return { text: all.map(([text]) => text).join(" AND "), parameters };
}

/** Returns a condition that matches documents with secrets encrypted under an older key. */
function outdated<T extends Document>({ keyring }: CosmosDefinition<T>): readonly Condition[] {
  return [["c.sealedKeyId != @current", "@current", keyring.currentKeyId()]];
}

async function countOutdated<T extends Document>(
  { connection }: CosmosContext,
  store: CosmosDefinition<T>,
  signal: AbortSignal,
): Promise<number> {
  const { text, parameters } = where(store.definition.name, outdated(store));
  const query = { query: `SELECT VALUE COUNT(1) FROM c WHERE ${text}`, parameters };
  const [count = 0] = await connection.query<number>(connection.documents, query, undefined, signal);
  return count;
}

/** Returns the sort string of the previous page's last document. */
function startOf({ continuation, orderBy }: ListQuery): string | undefined {
  if (continuation === undefined) return undefined;
  const { key, id, partitionKey } = decodeContinuation(continuation);
  if ((key === null) !== (orderBy === undefined) || ![key, id, partitionKey].every(isColumnText)) {
    throw errors.InvalidQuery("The continuation belongs to a different query.");
  }
  return joinSortable([...(key === null ? [] : [key]), id, partitionKey]);
}

/** Returns the continuation token. It contains the sort values of the last item. */
function continuationAfter({ sort }: FoundItem, orderBy: string | undefined): string {
  const parts = sortableParts(orderBy === undefined ? sort.id : (sort.keys[orderBy] ?? ""));
  const [partitionKey = "", id = "", key = null] = parts.toReversed();
  return encodeContinuation({ key, id, partitionKey });
}

function decode<T extends Document>({ codec }: CosmosDefinition<T>, item: FoundItem): Stored<T> {
  const { documentId, partitionKey, body, _etag } = item;
  return { document: codec.decode(body, { partitionKey, id: documentId }), etag: _etag };
}
