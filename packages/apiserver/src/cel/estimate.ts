import type { CallNode, LoopNode, Node } from "./ast.ts";
import type { Checked } from "./checker.ts";
import { dyn, type Type } from "./type.ts";
import { sizeOf } from "./value.ts";

/** Characters of a text of which nothing says how long it may be: a request has no more. */
const unboundedText = 3_145_726;
const unboundedList = 1_000_000;

interface Estimate {
  readonly cost: number;
  /** The most characters or elements of the result. */
  readonly size: number;
}

/** What an expression may cost at most, from the sizes that the types of its values allow. */
export function estimateCost(checked: Checked): number {
  return estimate(checked, checked.root).cost;
}

function estimate(checked: Checked, node: Node): Estimate {
  const of = (each: Node | undefined): Estimate => (each ? estimate(checked, each) : { cost: 0, size: 0 });
  const size = sizeOfType(checked.types.get(node) ?? dyn);
  switch (node.kind) {
    case "literal":
      return { cost: 0, size: sizeOf(node.value) };
    case "name":
      return { cost: 1, size };
    case "select":
      return { cost: checked.typeNames.has(node) ? 0 : of(node.operand).cost + 1, size };
    case "logic":
      return { cost: total(node.terms.map((each) => of(each).cost)), size: 1 };
    case "choice": {
      const [then, otherwise] = [of(node.then), of(node.otherwise)];
      return {
        cost: of(node.condition).cost + Math.max(then.cost, otherwise.cost),
        size: Math.max(then.size, otherwise.size),
      };
    }
    case "list":
      return {
        cost: 10 + total(node.elements.map(({ value }) => of(value).cost)),
        size: node.elements.length,
      };
    case "map": {
      const entries = node.entries.map(({ key, value }) => of(key).cost + of(value).cost);
      return { cost: 30 + total(entries), size: entries.length };
    }
    case "bind": {
      const body = of(node.body);
      return { cost: of(node.value).cost + body.cost + 1, size: body.size };
    }
    case "loop":
      return estimateLoop(of, node);
    case "call":
      return estimateCall(checked, of, node, size);
  }
}

function estimateLoop(of: (node: Node | undefined) => Estimate, node: LoopNode): Estimate {
  const range = of(node.range);
  const each = 2 + of(node.condition).cost + of(node.body).cost;
  return { cost: range.cost + range.size * each, size: range.size };
}

function estimateCall(
  checked: Checked,
  of: (node: Node | undefined) => Estimate,
  node: CallNode,
  size: number,
): Estimate {
  const resolved = checked.calls.get(node);
  if (!resolved) return { cost: 1, size };
  const args = resolved.args.map(of);
  const sizes = args.map((each) => each.size);
  const [first = 1, second = 1] = sizes;
  const calls = resolved.overloads.map((overload) => overload.cost?.(...sizes) ?? 0);
  const own =
    node.name === "_==_" || node.name === "_!=_"
      ? Math.min(first, second) * 0.1
      : node.name === "@in"
        ? Math.min(second, unboundedList)
        : Math.max(0, ...calls);
  const { kind, maxSize } = checked.types.get(node) ?? dyn;
  // What a function makes of its arguments is hardly larger than they are.
  const made = ["string", "bytes", "list", "map", "opaque"].includes(kind) ? Math.max(1, ...sizes) : size;
  return { cost: 1 + own + total(args.map((each) => each.cost)), size: maxSize ?? made };
}

function sizeOfType({ kind, maxSize }: Type): number {
  if (maxSize !== undefined) return maxSize;
  if (kind === "string" || kind === "bytes") return unboundedText;
  return kind === "list" || kind === "map" ? unboundedList : 1;
}

function total(costs: readonly number[]): number {
  return costs.reduce((sum, each) => sum + each, 0);
}
