/** Query in the supported subset of Cosmos DB's SQL. The subset covers the queries of the service's document store. */
export interface Query {
  readonly top: number | undefined;
  readonly select: Selection;
  /** Alias of the item in expressions. */
  readonly alias: string;
  readonly where: Expression | undefined;
  readonly orderBy: Ordering | undefined;
}

type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "value"; readonly expression: Expression }
  | { readonly kind: "members"; readonly members: readonly Member[] };

export interface Member {
  readonly name: string;
  readonly expression: Expression;
}

interface Ordering {
  readonly path: Path;
  readonly descending: boolean;
}

export interface Path {
  readonly kind: "path";
  readonly root: string;
  readonly steps: readonly string[];
}

export type Expression =
  | Path
  | { readonly kind: "literal"; readonly value: unknown }
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "object"; readonly members: readonly Member[] }
  | { readonly kind: "array"; readonly elements: readonly Expression[] }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "not"; readonly operand: Expression }
  | {
      readonly kind: "in";
      readonly operand: Expression;
      readonly among: readonly Expression[];
    }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

export type BinaryOperator = "OR" | "AND" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "??" | "+" | "-" | "*";

/**
 * Returns the aggregate function of a query such as `SELECT VALUE COUNT(1)`. Returns undefined if the query has no aggregate
 * function.
 */
export function aggregateOf({ select }: Query): "Count" | undefined {
  if (select.kind !== "value" || select.expression.kind !== "call") return undefined;
  return select.expression.name === "COUNT" ? "Count" : undefined;
}
