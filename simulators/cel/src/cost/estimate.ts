import type { Checked } from "../checking/checker.ts";
import type { BindNode, CallNode, ListNode, MapNode, Node, SelectNode } from "../syntax/ast.ts";
import { dyn, parameterOf, type Type } from "../values/type.ts";
import type { Value } from "../values/value.ts";
import { anyOf, type CallCost, costOfCall, type EstimatedCall } from "./call-costs.ts";
import { estimateLoop } from "./loop-cost.ts";
import {
  type EntrySizes,
  type Known,
  type Local,
  type Locals,
  type Part,
  type PartEstimator,
  sizeInSchema,
  sizeOfScalar,
} from "./part.ts";
import { SchemaPath } from "./schema-path.ts";
import { exactly, limited, type SizeRange, unionOf, unknownSize } from "./size-range.ts";

const newList = 10;
const newMap = 30;

/**
 * Estimates the maximum cost of an expression. `schema` is the type of all variables and contains their sizes. The estimates
 * equal cel-go's, so the same rules are rejected as in Kubernetes.
 * @see cel-go checker/cost.go
 */
export function estimateCost(checked: Checked, schema: Type): number {
  return new Estimator(checked, schema).part(checked.root, new Map()).cost;
}

class Estimator implements PartEstimator {
  readonly #checked: Checked;
  readonly #schema: Type;

  constructor(checked: Checked, schema: Type) {
    this.#checked = checked;
    this.#schema = schema;
  }

  part(node: Node, locals: Locals): Part {
    const named = this.#checked.typeNames.get(node);
    if (named) return this.made(node, 1, { path: SchemaPath.of("type") });
    switch (node.kind) {
      case "literal":
        return this.made(node, 0, literalOf(node.value));
      case "name":
        return this.#name(node, node.name, locals);
      case "select":
        return this.#select(node, locals);
      case "logic": {
        const costs = node.terms.map((each) => this.part(each, locals).cost);
        return this.made(
          node,
          costs.reduce((sum, each) => limited(sum + each), 0),
        );
      }
      case "choice":
        return this.#choice(
          node,
          this.#sized(node.condition, locals),
          this.#sized(node.then, locals),
          this.#sized(node.otherwise, locals),
        );
      case "list":
        return this.#list(node, locals);
      case "map":
        return this.#map(node, locals);
      case "loop":
        return estimateLoop(this, node, locals);
      case "bind":
        return this.#bind(node, locals);
      case "call":
        return this.#call(node, locals);
    }
  }

  /**
   * Returns the estimate of a node. Its size is the first available size of `known.size`, the schema, the type, and
   * `known.localSize`. The schema is read when the size is first requested.
   */
  made(node: Node, cost: number, { path = SchemaPath.none, ...known }: Known = {}): Part {
    const type = this.typeOf(node);
    let size = known.size;
    return {
      type,
      cost: limited(cost),
      path,
      entries: known.entries,
      literal: known.literal,
      size: () => {
        size ??= sizeInSchema(this.#schema, path);
        return size ?? sizeOfScalar(type) ?? known.localSize;
      },
    };
  }

  typeOf(node: Node): Type {
    return this.#checked.types.get(node) ?? dyn;
  }

  #name(node: Node, name: string, locals: Locals): Part {
    const local = locals.get(name);
    if (!local) return this.made(node, 1, { path: SchemaPath.of(name) });
    return this.made(node, 1, { path: local.path, entries: local.entries, localSize: local.size });
  }

  sizeOf({ path, size }: Local, type: Type): SizeRange {
    return sizeInSchema(this.#schema, path) ?? sizeOfScalar(type) ?? size ?? unknownSize;
  }

  /**
   * Computes the size of an argument immediately, because the size depends on the argument's path. Later path extensions may
   * overwrite this path.
   */
  #sized(node: Node, locals: Locals): Part {
    const part = this.part(node, locals);
    part.size();
    return part;
  }

  #select(node: SelectNode, locals: Locals): Part {
    const operand = this.part(node.operand, locals);
    switch (node.mode) {
      case "presence":
        return this.made(node, operand.cost);
      case "optional":
        return this.made(node, operand.cost + 1);
      default: {
        const steps = ["map", "object", "parameter"].includes(operand.type.kind) ? 1 : 0;
        return this.made(node, operand.cost + steps, { path: operand.path.extended(node.field) });
      }
    }
  }

  #choice(node: Node, condition: Part, then: Part, otherwise: Part): Part {
    const size = unionOf(then.size() ?? unknownSize, otherwise.size() ?? unknownSize);
    const cost = condition.cost + Math.max(then.cost, otherwise.cost);
    return this.made(node, cost, { size, entries: unionOfEntries(then.entries, otherwise.entries) });
  }

  #list(node: ListNode, locals: Locals): Part {
    const elements = node.elements.map(({ value }) => this.#sized(value, locals));
    const size = exactly(elements.length);
    const entries = { of: "list", key: exactly(1), value: unionOfSizes(elements) } as const;
    return this.made(node, totalOf(elements) + newList, { size, entries });
  }

  #map(node: MapNode, locals: Locals): Part {
    const entries = node.entries.map(({ key, value }) => {
      const parts = [this.part(key, locals), this.part(value, locals)] as const;
      for (const each of parts) each.size();
      return parts;
    });
    return this.made(node, totalOf(entries.flat()) + newMap, {
      size: exactly(entries.length),
      entries: {
        of: "map",
        key: unionOfSizes(entries.map(([key]) => key)),
        value: unionOfSizes(entries.map(([, value]) => value)),
      },
    });
  }

  /**
   * Estimates the expansion of `optMap` or `optFlatMap`. The expansion consists of a presence test, the value, and a loop over an
   * empty list. The variable is the accumulator of this loop.
   */
  #bind(node: BindNode, locals: Locals): Part {
    const given = this.part(node.value, locals);
    const value = sizeOfScalar(parameterOf(given.type));
    const variable = { path: SchemaPath.none, entries: undefined, size: value };
    const body = this.part(node.body, new Map(locals).set(node.variable, variable));
    const asked = 1 + given.cost;
    const mapped = newList + (1 + given.cost) + body.cost + (node.macro === "optMap" ? 1 : 0);
    const size = node.macro === "optMap" ? sizeOfScalar(this.typeOf(node)) : body.size();
    return this.made(node, asked + mapped, {
      size: unionOf(size ?? unknownSize, sizeOfScalar(this.typeOf(node)) ?? unknownSize),
    });
  }

  #call(node: CallNode, locals: Locals): Part {
    const resolved = this.#checked.calls.get(node);
    if (!resolved) return this.made(node, 0);
    const { overloads } = resolved;
    const isMethod = overloads[0]?.style === "method";
    const [receiver, ...rest] = resolved.args;
    const args = (isMethod ? rest : resolved.args).map((each) => this.#sized(each, locals));
    const target = isMethod && receiver ? this.#sized(receiver, locals) : undefined;
    const [first] = args;
    const spent = totalOf(args) + (target?.cost ?? 0);
    if (node.name === "dyn" && first) {
      return this.made(node, spent + 1, { size: first.size(), entries: first.entries });
    }
    if (node.name === "_[_]" && first && first.type.kind !== "opaque")
      return this.#element(node, first, spent + 1);
    const elementSize = (list: Part) => this.#elementSize(list);
    const own = overloads
      .map((overload) => this.#costed(node, { overload, target, args, elementSize }))
      .reduce<CallCost>(anyOf, { cost: 0 });
    const entries =
      node.name === "_+_" && own.size ? unionOfEntries(first?.entries, args[1]?.entries) : undefined;
    return this.made(node, spent + own.cost, { size: own.size, entries });
  }

  /** If the function does not determine the result's size, the result's type may determine it. */
  #costed(node: Node, call: EstimatedCall): CallCost {
    const found = costOfCall(call);
    const size = found.size ?? sizeOfScalar(this.typeOf(node));
    return size ? { ...found, size } : found;
  }

  #element(node: CallNode, container: Part, cost: number): Part {
    const path = container.path.extended(container.type.kind === "map" ? "@values" : "@items");
    const part = this.made(node, cost, { path, size: container.entries?.value });
    part.size();
    return part;
  }

  #elementSize(list: Part): SizeRange {
    return sizeInSchema(this.#schema, list.path, "@items") ?? unknownSize;
  }
}

function literalOf(value: Value): Known {
  if (typeof value === "bigint") return { size: exactly(1), literal: value };
  if (typeof value === "string") return { size: exactly([...value].length) };
  const isBytes = typeof value === "object" && value?.kind === "bytes";
  return { size: exactly(isBytes ? value.bytes.length : 1) };
}

function totalOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { cost }) => limited(sum + cost), 0);
}

function unionOfSizes(parts: readonly Part[]): SizeRange {
  if (parts.length === 0) return exactly(0);
  return parts.map((each) => each.size() ?? unknownSize).reduce(unionOf);
}

function unionOfEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a && b && { of: a.of, key: unionOf(a.key, b.key), value: unionOf(a.value, b.value) };
}
