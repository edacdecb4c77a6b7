import { aggregateOf, type Expression, type Path, type Query } from "./syntax.ts";

/** Placeholder in the rewritten query. To request the next page, clients replace the placeholder with a filter. */
const filterSlot = "{documentdb-formattableorderbyquery-filter}";

/**
 * Returns the query plan. It contains the query that the client sends to each physical partition, and instructions for merging
 * the results.
 */
export function queryPlan(query: Query): unknown {
  const aggregate = aggregateOf(query);
  const { orderBy } = query;
  return {
    partitionedQueryExecutionInfoVersion: 2,
    queryInfo: {
      distinctType: "None",
      top: query.top ?? null,
      offset: null,
      limit: null,
      orderBy: orderBy ? [orderBy.descending ? "Descending" : "Ascending"] : [],
      orderByExpressions: orderBy ? [textOf(orderBy.path)] : [],
      groupByExpressions: [],
      groupByAliases: [],
      aggregates: aggregate ? [aggregate] : [],
      groupByAliasToAggregateType: {},
      rewrittenQuery: aggregate || orderBy ? rewritten(query) : "",
      hasSelectValue: query.select.kind === "value",
      dCountInfo: null,
      hasNonStreamingOrderBy: false,
    },
    queryRanges: [{ min: "", max: "FF", isMinInclusive: true, isMaxInclusive: false }],
  };
}

function rewritten(query: Query): string {
  const { alias, orderBy, top, where } = query;
  const condition = where ? textOf(where) : undefined;
  if (!orderBy) {
    return `SELECT VALUE [{"item": COUNT(1)}] FROM ${alias}${condition ? ` WHERE ${condition}` : ""}`;
  }
  const path = textOf(orderBy.path);
  return [
    `SELECT ${top === undefined ? "" : `TOP ${top} `}${alias}._rid, [{"item": ${path}}] AS orderByItems,`,
    `${payload(query)} AS payload FROM ${alias}`,
    `WHERE ${condition ? `(${condition}) AND ` : ""}(${filterSlot})`,
    `ORDER BY ${path} ${orderBy.descending ? "DESC" : "ASC"}`,
  ].join(" ");
}

function payload({ select, alias }: Query): string {
  if (select.kind === "all") return alias;
  if (select.kind === "value") return textOf(select.expression);
  return textOf({ kind: "object", members: select.members });
}

function textOf(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return expression.value === undefined ? "undefined" : JSON.stringify(expression.value);
    case "parameter":
      return expression.name;
    case "path":
      return pathText(expression);
    case "object":
      return `{${expression.members.map(({ name, expression }) => `${JSON.stringify(name)}: ${textOf(expression)}`).join(", ")}}`;
    case "array":
      return `[${expression.elements.map(textOf).join(", ")}]`;
    case "call":
      return `${expression.name}(${expression.args.map(textOf).join(", ")})`;
    case "not":
      return `(NOT ${textOf(expression.operand)})`;
    case "in":
      return `(${textOf(expression.operand)} IN (${expression.among.map(textOf).join(", ")}))`;
    case "binary":
      return `(${textOf(expression.left)} ${expression.operator} ${textOf(expression.right)})`;
  }
}

function pathText({ root, steps }: Path): string {
  return root + steps.map((step) => `[${JSON.stringify(step)}]`).join("");
}
