import type { Value } from "../values/value.ts";

/** Node of a parsed expression. `at` is its position in the source in UTF-16 units. */
export type Node =
  | { readonly kind: "literal"; readonly at: number; readonly value: Value }
  | { readonly kind: "name"; readonly at: number; readonly name: string }
  | SelectNode
  | CallNode
  | {
      readonly kind: "logic";
      readonly at: number;
      readonly operator: "&&" | "||";
      readonly terms: readonly Node[];
    }
  | {
      readonly kind: "choice";
      readonly at: number;
      readonly condition: Node;
      readonly then: Node;
      readonly otherwise: Node;
    }
  | ListNode
  | MapNode
  | LoopNode
  | BindNode;

/** Selection: `operand.field`, `has(operand.field)` or `operand.?field`. */
export interface SelectNode {
  readonly kind: "select";
  readonly at: number;
  readonly operand: Node;
  readonly field: string;
  readonly mode: "value" | "presence" | "optional";
}

/**
 * Call of a function, method or operator. Methods have a `target`. Operators are `_+_`, `_[_]`, `_[?_]`, `!_`, `-_`, `_==_`,
 * `@in`.
 */
export interface CallNode {
  readonly kind: "call";
  readonly at: number;
  readonly name: string;
  readonly target: Node | undefined;
  readonly args: readonly Node[];
}

export interface ListNode {
  readonly kind: "list";
  readonly at: number;
  readonly elements: readonly { readonly value: Node; readonly optional: boolean }[];
}

export interface MapNode {
  readonly kind: "map";
  readonly at: number;
  readonly entries: readonly { readonly key: Node; readonly value: Node; readonly optional: boolean }[];
}

export type LoopMacro =
  | "all"
  | "exists"
  | "exists_one"
  | "filter"
  | "map"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

/** Macro that loops over the elements of a list or the entries of a map. */
export interface LoopNode {
  readonly kind: "loop";
  readonly at: number;
  readonly macro: LoopMacro;
  readonly range: Node;
  /** One variable is the element, or the key of a map. Two variables are index and element, or key and value. */
  readonly variables: readonly [string] | readonly [string, string];
  readonly condition: Node | undefined;
  readonly body: Node | undefined;
}

/** Macro that binds the value of an optional to a name: `optMap`, `optFlatMap`. */
export interface BindNode {
  readonly kind: "bind";
  readonly at: number;
  readonly macro: "optMap" | "optFlatMap";
  readonly variable: string;
  readonly value: Node;
  readonly body: Node;
}

/** Error in an expression, with its position in the source. */
export class ExpressionError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Formats an error like CEL: the message, the source line, and a mark below the position. */
export function describeError(source: string, { at, message }: ExpressionError): string {
  const start = source.lastIndexOf("\n", at - 1) + 1;
  const end = source.indexOf("\n", at);
  const line = source.slice(start, end < 0 ? undefined : end);
  const row = source.slice(0, start).split("\n").length;
  const column = [...source.slice(start, at)].length;
  const shown = line.length > 1_000 ? "" : `\n | ${line}\n | ${".".repeat(column)}^`;
  return `ERROR: <input>:${row}:${column + 1}: ${message}${shown}`;
}
