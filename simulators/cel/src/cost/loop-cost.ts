import type { LoopNode } from "../syntax/ast.ts";
import { parameterOf } from "../values/type.ts";
import type { EntrySizes, Local, Locals, Part, PartEstimator } from "./part.ts";
import { exactly, limited, type SizeRange, unionOf, unknownSize } from "./size-range.ts";

/** Cost of a loop: a constant amount, plus an amount per element. The costs of condition and body are added for each element. */
interface LoopShape {
  readonly once: number;
  readonly each: number;
  readonly makes: "scalar" | "list" | "map";
}

/**
 * Costs of the macros as expanded by cel-go. Each expansion has an accumulator, a loop condition, a step and a result. A name
 * costs 1, a new list 10, and a new map 30.
 */
const shapes: Readonly<Record<LoopNode["macro"], LoopShape>> = {
  all: { once: 1, each: 3, makes: "scalar" },
  exists: { once: 1, each: 4, makes: "scalar" },
  exists_one: { once: 2, each: 2, makes: "scalar" },
  filter: { once: 11, each: 13, makes: "list" },
  map: { once: 11, each: 12, makes: "list" },
  transformList: { once: 11, each: 12, makes: "list" },
  transformMap: { once: 31, each: 3, makes: "map" },
  transformMapEntry: { once: 31, each: 2, makes: "map" },
};

export function estimateLoop(estimator: PartEstimator, node: LoopNode, locals: Locals): Part {
  const range = estimator.part(node.range, locals);
  const inner = withVariables(node, range, locals);
  const condition = node.condition && estimator.part(node.condition, inner);
  const body = node.body && estimator.part(node.body, inner);
  const variable = inner.get(node.variables[0]);
  // The macro `filter` adds each element to the result list. The macro `map` adds the result of its body.
  const element = body || !variable ? body?.size() : estimator.sizeOf(variable, parameterOf(range.type));
  const shape = shapes[node.macro];
  const size = range.size() ?? unknownSize;
  const step = shape.each + (condition?.cost ?? 0) + (body?.cost ?? 0);
  return estimator.made(node, range.cost + shape.once + limited(size.max * step), {
    size: shape.makes === "scalar" ? exactly(1) : size,
    entries: shape.makes === "list" ? listEntries(element ?? unknownSize) : undefined,
  });
}

/** Returns the sizes of a result list's items. The minimum is 0, because the accumulator is initially empty. */
function listEntries(element: SizeRange): EntrySizes {
  return { of: "list", key: exactly(1), value: unionOf(exactly(0), element) };
}

function withVariables({ variables }: LoopNode, range: Part, locals: Locals): Locals {
  const [first, second] = variables;
  const isList = (range.entries?.of ?? range.type.kind) === "list";
  const under = (name: string, size: SizeRange | undefined): Local => ({
    path: range.path.extended(name),
    size,
    entries: undefined,
  });
  const inner = new Map(locals);
  const { key, value } = range.entries ?? {};
  if (second === undefined) return inner.set(first, isList ? under("@items", value) : under("@keys", key));
  inner.set(first, under(isList ? "@indices" : "@keys", key));
  return inner.set(second, under(isList ? "@items" : "@values", value));
}
