import type { Node } from "../syntax/ast.ts";
import { parameterOf, type Type } from "../values/type.ts";
import type { SchemaPath } from "./schema-path.ts";
import { exactly, type SizeRange } from "./size-range.ts";

/** Sizes of the keys (or indexes) and values in a list or map. */
export interface EntrySizes {
  readonly of: "list" | "map";
  readonly key: SizeRange;
  readonly value: SizeRange;
}

/** Estimated properties of a subexpression. */
export interface Part {
  readonly type: Type;
  /** Maximum evaluation cost of the subexpression. */
  readonly cost: number;
  readonly path: SchemaPath;
  readonly entries: EntrySizes | undefined;
  /** Value of an int literal. */
  readonly literal: bigint | undefined;
  /** Returns the size of the value, or undefined if it is unknown. */
  size(): SizeRange | undefined;
}

/** Variable that a loop or an optional macro declares. */
export interface Local {
  readonly path: SchemaPath;
  readonly size: SizeRange | undefined;
  readonly entries: EntrySizes | undefined;
}

export type Locals = ReadonlyMap<string, Local>;

/** Known properties of a subexpression. Missing sizes are read from the schema. */
export interface Known {
  readonly path?: SchemaPath;
  readonly entries?: EntrySizes | undefined;
  readonly literal?: bigint;
  readonly size?: SizeRange | undefined;
  /** Size that is used if neither the schema nor the type determines a size. */
  readonly localSize?: SizeRange | undefined;
}

/** Estimates subexpressions. The cost includes nested subexpressions. */
export interface PartEstimator {
  part(node: Node, locals: Locals): Part;
  /** Returns the estimate of a node from its cost and known sizes. */
  made(node: Node, cost: number, known?: Known): Part;
  sizeOf(local: Local, type: Type): SizeRange;
}

/**
 * Returns the size in the schema at a path. `below` extends the path. Returns undefined if the schema has no value at the path.
 */
export function sizeInSchema(
  root: Type,
  path: SchemaPath,
  ...below: readonly string[]
): SizeRange | undefined {
  if (path.isNone) return undefined;
  let type: Type | undefined = root;
  for (const name of [...path.belowVariable(), ...below]) {
    type = typeBelow(type, name);
    if (!type) return undefined;
  }
  return { min: 0, max: type.maxSize ?? 0 };
}

function typeBelow(type: Type, name: string): Type | undefined {
  const isMap = type.kind === "map";
  switch (name) {
    case "@keys":
      return isMap ? parameterOf(type) : undefined;
    case "@items":
    case "@values":
      return isMap || type.kind === "list" ? parameterOf(type, isMap ? 1 : 0) : undefined;
    default:
      return type.field?.(name);
  }
}

/** Returns the size that all values of a type have. Undefined if the size varies. */
export function sizeOfScalar(type: Type): SizeRange | undefined {
  const { kind, name } = type.name === "optional_type" ? parameterOf(type) : type;
  if (name === "optional_type") return sizeOfScalar(parameterOf(type));
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(kind) ? exactly(1) : undefined;
}
