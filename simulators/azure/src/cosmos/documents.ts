import { isPlainObject } from "@keelson/base";
import { runBatch } from "./batch.ts";
import type { Container, StoredItem, WriteResult } from "./container.ts";
import { isIndexed } from "./definition.ts";
import { badRequest, CosmosError } from "./errors/cosmos-error.ts";
import type { CosmosRequest, CosmosResponse } from "./exchange.ts";
import type { PartitionKeyRange } from "./partitions.ts";
import { parseQuery } from "./query/parse.ts";
import { queryPlan } from "./query/plan.ts";
import { runQuery } from "./query/run.ts";
import { aggregateOf, type Query } from "./query/syntax.ts";

const defaultPage = 100;
const largestPage = 1_000;

/** Handles requests for the items of a container: point operations, batches, queries and the change feed. */
export function serveDocuments(request: CosmosRequest, container: Container): CosmosResponse {
  const { method, address, header, body } = request;
  if (!address.isFeed) return serveItem(request, container, address.item ?? "");
  if (method === "GET") return serveFeed(request, container);
  if (method !== "POST") throw new CosmosError(405, "MethodNotAllowed", `${method} is not possible here.`);
  if (isTrue(header("x-ms-cosmos-is-query-plan-request"))) {
    return { status: 200, body: queryPlan(parseQuery(queryOf(body).text)) };
  }
  if (isTrue(header("x-ms-documentdb-isquery"))) return serveQuery(request, container);
  const partitionKey = partitionKeyOf(request);
  if (isTrue(header("x-ms-cosmos-is-batch-request"))) {
    const { status, results } = runBatch(container, partitionKey, body);
    return { status, headers: sessionHeaders(container, partitionKey), body: results };
  }
  const ifMatch = header("if-match");
  return written(
    container,
    partitionKey,
    isTrue(header("x-ms-documentdb-is-upsert"))
      ? container.upsert(partitionKey, body, { ifMatch })
      : container.create(partitionKey, body),
  );
}

function serveItem(request: CosmosRequest, container: Container, id: string): CosmosResponse {
  const { method, header, body } = request;
  const partitionKey = partitionKeyOf(request);
  const conditions = { ifMatch: header("if-match") };
  switch (method) {
    case "GET": {
      const stored = container.get(partitionKey, id);
      if (header("if-none-match") === stored.etag) return { status: 304, headers: { etag: stored.etag } };
      return written(container, partitionKey, { status: 200, stored });
    }
    case "PUT":
      return written(container, partitionKey, container.replace(partitionKey, id, body, conditions));
    case "DELETE":
      return written(container, partitionKey, container.delete(partitionKey, id, conditions));
    default:
      throw new CosmosError(405, "MethodNotAllowed", `${method} is not possible on an item here.`);
  }
}

function written(
  container: Container,
  partitionKey: string,
  { status, stored }: WriteResult,
): CosmosResponse {
  const session = sessionHeaders(container, partitionKey);
  if (!stored) return { status, headers: session };
  return { status, headers: { ...session, etag: stored.etag }, body: stored.item };
}

function serveQuery(request: CosmosRequest, container: Container): CosmosResponse {
  const { text, parameters } = queryOf(request.body);
  const query = parseQuery(text);
  if (query.orderBy && !isIndexed(container.definition, query.orderBy.path.steps)) {
    throw badRequest(
      `The index path corresponding to the specified order-by item is excluded: /${query.orderBy.path.steps.join("/")}.`,
    );
  }
  const items = itemsAddressed(request, container, query);
  const page = runQuery(
    query,
    parameters,
    [...items].map(({ item, place }) => ({ item, sequence: place })),
    { limit: pageSize(request), continuation: request.header("x-ms-continuation") },
  );
  return {
    status: 200,
    headers: {
      "x-ms-item-count": String(page.results.length),
      ...(page.continuation === undefined ? {} : { "x-ms-continuation": page.continuation }),
    },
    body: { _rid: container.rid, Documents: page.results, _count: page.results.length },
  };
}

/**
 * Returns the items that a query reads. Rejects a cross-partition query if the results of several partitions must be merged. For
 * such a query, clients request the query plan and merge the results themselves.
 */
function itemsAddressed(request: CosmosRequest, container: Container, query: Query): Iterable<StoredItem> {
  if (request.header("x-ms-documentdb-partitionkey") !== undefined) {
    return container.itemsOf(partitionKeyOf(request));
  }
  if (request.header("x-ms-documentdb-partitionkeyrangeid") !== undefined) {
    const { minInclusive, maxExclusive } = rangeOf(request, container);
    return container.itemsWithin(minInclusive, maxExclusive);
  }
  const simple = !query.orderBy && query.top === undefined && !aggregateOf(query);
  if (simple && container.ranges.length === 1) return container.itemsWithin("", "FF");
  throw new CosmosError(
    400,
    "BadRequest",
    "Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates: ask for the query plan.",
    { substatus: 1004 },
  );
}

/**
 * Handles the change feed in latest-version mode. Each item appears once, at the position of its last write. Deletions do not
 * appear.
 */
function serveFeed(request: CosmosRequest, container: Container): CosmosResponse {
  const { header } = request;
  if (header("a-im")?.toLowerCase() !== "incremental feed") {
    throw new CosmosError(405, "MethodNotAllowed", "Items are listed by a query, or by the change feed.");
  }
  const { minInclusive, maxExclusive } = rangeOf(request, container);
  const since = header("if-none-match");
  const after = since === "*" ? container.sequence : sequenceOf(since);
  const changed = [...container.itemsWithin(minInclusive, maxExclusive)]
    .filter(({ sequence }) => sequence > after)
    .sort((left, right) => left.sequence - right.sequence)
    .slice(0, pageSize(request));
  const etag = `"${changed.at(-1)?.sequence ?? after}"`;
  if (changed.length === 0) return { status: 304, headers: { etag } };
  return {
    status: 200,
    headers: { etag, "x-ms-item-count": String(changed.length) },
    body: {
      _rid: container.rid,
      Documents: changed.map(({ item, sequence }) => ({ ...item, _lsn: sequence })),
      _count: changed.length,
    },
  };
}

function sequenceOf(etag: string | undefined): number {
  if (etag === undefined) return 0;
  const number = Number(etag.replaceAll('"', ""));
  if (!Number.isInteger(number)) throw badRequest("The continuation of the change feed is invalid.");
  return number;
}

/** Returns the partition key range with the requested ID. Headers of the request can narrow the range. */
function rangeOf(
  request: CosmosRequest,
  container: Container,
): Pick<PartitionKeyRange, "minInclusive" | "maxExclusive"> {
  const id = request.header("x-ms-documentdb-partitionkeyrangeid");
  const range = container.ranges.find((each) => each.id === id);
  if (!range)
    throw new CosmosError(410, "Gone", "The requested partition key range no longer exists.", {
      substatus: 1002,
    });
  return {
    minInclusive: request.header("x-ms-start-epk") ?? range.minInclusive,
    maxExclusive: request.header("x-ms-end-epk") ?? range.maxExclusive,
  };
}

function partitionKeyOf({ header }: CosmosRequest): string {
  const text = header("x-ms-documentdb-partitionkey");
  if (text === undefined) throw badRequest("The request has no partition key.");
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.length === 1) return JSON.stringify(parsed);
  } catch {
    // Rejected below.
  }
  throw badRequest("The partition key is not a list of one value.");
}

function pageSize({ header }: CosmosRequest): number {
  const wanted = Number(header("x-ms-max-item-count") ?? defaultPage);
  return wanted > 0 ? Math.min(wanted, largestPage) : defaultPage;
}

function queryOf(body: unknown): {
  readonly text: string;
  readonly parameters: ReadonlyMap<string, unknown>;
} {
  const { query, parameters } = isPlainObject(body) ? body : {};
  if (typeof query !== "string") throw badRequest("The body has no query.");
  const list: unknown[] = Array.isArray(parameters) ? parameters : [];
  return {
    text: query,
    parameters: new Map(list.filter(isPlainObject).map(({ name, value }) => [String(name), value])),
  };
}

/** Returns the session headers. Clients send these headers with later reads, so that the reads return the client's own writes. */
function sessionHeaders(container: Container, partitionKey: string): Record<string, string> {
  const range = container.rangeOf(partitionKey);
  return { "x-ms-session-token": `${range.id}:-1#${container.sequence}`, "x-ms-content-path": container.rid };
}

function isTrue(header: string | undefined): boolean {
  return header?.toLowerCase() === "true";
}
