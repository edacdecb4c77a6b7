import { WorkBudget, WorkBudgetExceeded, type WorkLimits } from "@keelson/base";
import { badRequest } from "../errors/cosmos-error.ts";
import { compareValues, evaluate, type Scope, stepsInto } from "./evaluate.ts";
import { aggregateOf, type Query } from "./syntax.ts";

export interface Candidate {
  readonly item: Readonly<Record<string, unknown>>;
  /**
   * Position of the item in its container. Items that are equal under ORDER BY are returned by position. Without ORDER BY, all
   * items are returned by position.
   */
  readonly sequence: number;
}

export interface Page {
  readonly results: readonly unknown[];
  readonly continuation: string | undefined;
}

/**
 * Returns one page of a query over the items of a physical partition. A page starts after the last item of the previous page, by
 * sort order and position. Concurrent writes therefore do not affect paging.
 */
export function runQuery(
  query: Query,
  parameters: ReadonlyMap<string, unknown>,
  candidates: Iterable<Candidate>,
  page: { readonly limit: number; readonly continuation: string | undefined },
): Page {
  const budget = new WorkBudget(limits);
  try {
    return pageOf(query, (item) => ({ alias: query.alias, item, parameters, budget }), candidates, page);
  } catch (error) {
    if (!(error instanceof WorkBudgetExceeded)) throw error;
    throw badRequest("The query exceeded the maximum allowed work: ask for less, or by simpler conditions.");
  }
}

/** Resource limits for one page of a query. */
const limits: WorkLimits = { nodes: 20_000_000, bytes: 256 * 1024 * 1024, timeMs: 20_000 };

function pageOf(
  query: Query,
  scopeOf: (item: unknown) => Scope,
  candidates: Iterable<Candidate>,
  page: { readonly limit: number; readonly continuation: string | undefined },
): Page {
  const { where } = query;
  const found = [...candidates].filter(
    ({ item }) => where === undefined || evaluate(where, scopeOf(item)) === true,
  );
  if (aggregateOf(query) || isPartialCount(query)) {
    const count = isPartialCount(query) ? [{ item: found.length }] : found.length;
    return { results: [count], continuation: undefined };
  }
  const ordered = found
    .map((each) => ({ ...each, order: query.orderBy && stepsInto(each.item, query.orderBy.path.steps) }))
    .sort((left, right) => positionOrder(query, left, right));
  const start = page.continuation === undefined ? undefined : readContinuation(page.continuation);
  const rest = start ? ordered.filter((each) => positionOrder(query, each, start) > 0) : ordered;
  const left = (query.top ?? Number.POSITIVE_INFINITY) - (start?.taken ?? 0);
  const taken = rest.slice(0, Math.min(page.limit, left));
  const last = taken.at(-1);
  const more = last !== undefined && taken.length < Math.min(rest.length, left);
  return {
    results: taken.map(({ item }) => select(query, scopeOf(item))).filter((each) => each !== undefined),
    continuation: more
      ? JSON.stringify([last.order ?? null, last.sequence, (start?.taken ?? 0) + taken.length])
      : undefined,
  };
}

interface Position {
  readonly order: unknown;
  readonly sequence: number;
}

function positionOrder(query: Query, left: Position, right: Position): number {
  const order = query.orderBy ? compareValues(left.order, right.order) : 0;
  return (query.orderBy?.descending ? -order : order) || left.sequence - right.sequence;
}

function readContinuation(text: string): Position & { readonly taken: number } {
  try {
    const [order, sequence, taken] = JSON.parse(text);
    if (typeof sequence === "number" && typeof taken === "number") return { order, sequence, taken };
  } catch {
    // Rejected below.
  }
  throw badRequest("Invalid Continuation Token");
}

function select({ select }: Query, scope: Scope): unknown {
  if (select.kind === "all") return scope.item;
  if (select.kind === "value") return evaluate(select.expression, scope);
  return evaluate({ kind: "object", members: select.members }, scope);
}

/** True for `SELECT VALUE [{"item": COUNT(1)}]`. Query plans use this query to count the items of one partition. */
function isPartialCount({ select }: Query): boolean {
  if (select.kind !== "value" || select.expression.kind !== "array") return false;
  const [only] = select.expression.elements;
  const member = only?.kind === "object" ? only.members[0] : undefined;
  return member?.expression.kind === "call" && member.expression.name === "COUNT";
}
