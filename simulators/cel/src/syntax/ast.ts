import type { Value } from "../values/value.ts";

/** An expression as parsed. `at` is its position in the source, in UTF-16 units. */
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

/** `operand.field`; `has(operand.field)`; `operand.?field`. */
export interface SelectNode {
  readonly kind: "select";
  readonly at: number;
  readonly operand: Node;
  readonly field: string;
  readonly mode: "value" | "presence" | "optional";
}

/** A function, a method (with `target`) or an operator: `_+_`, `_[_]`, `_[?_]`, `!_`, `-_`, `_==_`, `@in`. */
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

/** A macro over each element of a list, or each entry of a map. */
export interface LoopNode {
  readonly kind: "loop";
  readonly at: number;
  readonly macro: LoopMacro;
  readonly range: Node;
  /** One: the element, or the key of a map. Two: position and element, or key and value. */
  readonly variables: readonly [string] | readonly [string, string];
  readonly condition: Node | undefined;
  readonly body: Node | undefined;
}

/** The value of an optional under a name: `optMap`, `optFlatMap`. */
export interface BindNode {
  readonly kind: "bind";
  readonly at: number;
  readonly macro: "optMap" | "optFlatMap";
  readonly variable: string;
  readonly value: Node;
  readonly body: Node;
}

/** An expression that cannot be used, and where it goes wrong. */
export class ExpressionError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** An error as CEL prints it: with its line of the source, and a mark below the place. */
export function describeError(source: string, { at, message }: ExpressionError): string {
  const start = source.lastIndexOf("\n", at - 1) + 1;
  const end = source.indexOf("\n", at);
  const line = source.slice(start, end < 0 ? undefined : end);
  const row = source.slice(0, start).split("\n").length;
  const column = [...source.slice(start, at)].length;
  const shown = line.length > 1_000 ? "" : `\n | ${line}\n | ${".".repeat(column)}^`;
  return `ERROR: <input>:${row}:${column + 1}: ${message}${shown}`;
}
