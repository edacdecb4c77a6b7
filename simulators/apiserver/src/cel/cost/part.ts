import { parameterOf, type Type } from "../type.ts";
import type { SchemaPath } from "./schema-path.ts";
import { exactly, type SizeRange } from "./size-range.ts";

/** How large the keys (or positions) and the values in a list or map are, where the expression shows it. */
export interface EntrySizes {
  readonly of: "list" | "map";
  readonly key: SizeRange;
  readonly value: SizeRange;
}

/** What is known of the value of a part of an expression. */
export interface Part {
  readonly type: Type;
  /** What evaluating it costs at most. */
  readonly cost: number;
  readonly path: SchemaPath;
  readonly entries: EntrySizes | undefined;
  /** The number, if the part is an int literal. */
  readonly literal: bigint | undefined;
  /** `undefined` when nothing is known. */
  size(): SizeRange | undefined;
}

/** What the schema allows at a path, or below it; `undefined` where it has no such value. */
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

/** The size that all values of a type have. */
export function sizeOfScalar(type: Type): SizeRange | undefined {
  const { kind, name } = type.name === "optional_type" ? parameterOf(type) : type;
  if (name === "optional_type") return sizeOfScalar(parameterOf(type));
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(kind) ? exactly(1) : undefined;
}
