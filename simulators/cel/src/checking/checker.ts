import type { Overload } from "../functions/overload.ts";
import {
  type BindNode,
  type CallNode,
  ExpressionError,
  type ListNode,
  type LoopNode,
  type MapNode,
  type Node,
  type SelectNode,
} from "../syntax/ast.ts";
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  isAssignable,
  joined,
  listType,
  mapType,
  nullType,
  optionalType,
  parameterOf,
  string,
  substitute,
  type Type,
  timestamp,
  typeOf,
  typeText,
  uint,
} from "../values/type.ts";
import type { Value } from "../values/value.ts";
import type { Environment } from "./environment.ts";

/** Result of type checking. */
export interface Checked {
  readonly root: Node;
  readonly result: Type;
  readonly types: ReadonlyMap<Node, Type>;
  /**
   * Overloads that each call may use, and the call's arguments. In a method call, the first argument is the target of the method.
   */
  readonly calls: ReadonlyMap<CallNode, ResolvedCall>;
  /** Types of nodes that are the name of a type, for example `int` or `google.protobuf.Duration`. */
  readonly typeNames: ReadonlyMap<Node, Type>;
}

interface ResolvedCall {
  readonly overloads: readonly Overload[];
  readonly args: readonly Node[];
}

type Scope = ReadonlyMap<string, Type>;

/**
 * Determines the type of each node and the overloads of each call.
 * @throws ExpressionError
 */
export function checkExpression(root: Node, environment: Environment): Checked {
  const checker = new Checker(environment);
  const result = checker.check(root, new Map());
  return { root, result, types: checker.types, calls: checker.calls, typeNames: checker.typeNames };
}

class Checker {
  readonly types = new Map<Node, Type>();
  readonly calls = new Map<CallNode, ResolvedCall>();
  readonly typeNames = new Map<Node, Type>();
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  check(node: Node, scope: Scope): Type {
    const type = this.#typeOf(node, scope);
    this.types.set(node, type);
    return type;
  }

  #typeOf(node: Node, scope: Scope): Type {
    switch (node.kind) {
      case "literal":
        return literalType(node.value);
      case "name":
        return this.#name(node, node.name, scope);
      case "select":
        return this.#select(node, scope);
      case "call":
        return this.#call(node, scope);
      case "logic":
        for (const term of node.terms) this.#condition(term, scope, `_${node.operator}_`);
        return bool;
      case "choice": {
        this.#condition(node.condition, scope, "_?_:_");
        return joined(this.check(node.then, scope), this.check(node.otherwise, scope));
      }
      case "list":
        return this.#list(node, scope);
      case "map":
        return this.#map(node, scope);
      case "loop":
        return this.#loop(node, scope);
      case "bind":
        return this.#bind(node, scope);
    }
  }

  #name(node: Node, name: string, scope: Scope): Type {
    const found = this.#findName(node, name, scope);
    if (!found) throw new ExpressionError(node.at, `undeclared reference to '${name}' (in container '')`);
    return found;
  }

  #findName(node: Node, name: string, scope: Scope): Type | undefined {
    const { variables, types } = this.#environment;
    const variable = scope.get(name) ?? (Object.hasOwn(variables, name) ? variables[name] : undefined);
    if (variable) return variable;
    const named = Object.hasOwn(types, name) ? types[name] : undefined;
    if (!named) return undefined;
    this.typeNames.set(node, named);
    return typeOf(named);
  }

  #select(node: SelectNode, scope: Scope): Type {
    const path = qualifiedName(node);
    const named = path && !this.#isVariable(path, scope) ? this.#findName(node, path, scope) : undefined;
    if (named) return named;
    const operand = this.check(node.operand, scope);
    const isOptional = operand.name === "optional_type";
    const field = fieldOf(node, isOptional ? parameterOf(operand) : operand);
    if (node.mode === "presence") return bool;
    return isOptional || node.mode === "optional" ? optionalType(field) : field;
  }

  #isVariable(path: string, scope: Scope): boolean {
    const name = path.split(".", 1)[0] ?? "";
    return scope.has(name) || Object.hasOwn(this.#environment.variables, name);
  }

  #call(node: CallNode, scope: Scope): Type {
    const { functions } = this.#environment;
    const { name, target, args } = node;
    const space = target && qualifiedName(target);
    if (space && !this.#isVariable(space, scope)) {
      const overloads = functions.get(`${space}.${name}`)?.filter(({ style }) => style === "function");
      if (overloads) return this.#resolve(node, `${space}.${name}`, overloads, args, scope);
    }
    const style = target ? "method" : "function";
    const overloads = functions.get(name)?.filter((each) => each.style === style) ?? [];
    if (overloads.length === 0) {
      if (target) this.check(target, scope);
      throw new ExpressionError(node.at, `undeclared reference to '${name}' (in container '')`);
    }
    return this.#resolve(node, name, overloads, target ? [target, ...args] : args, scope);
  }

  #resolve(
    node: CallNode,
    name: string,
    overloads: readonly Overload[],
    args: readonly Node[],
    scope: Scope,
  ): Type {
    const found = args.map((each) => this.check(each, scope));
    const fitting = overloads.flatMap((overload) => {
      if (overload.parameters.length !== found.length) return [];
      if (overload.isDynamic && found.every(({ kind }) => kind !== "dyn")) return [];
      const bindings = new Map<string, Type>();
      const fits = overload.parameters.every((each, at) => isAssignable(found[at] ?? dyn, each, bindings));
      return fits ? [{ overload, result: substitute(overload.result, bindings) }] : [];
    });
    const [first] = fitting;
    if (!first) {
      const given = found.map(typeText);
      const shown =
        node.target && args.length === found.length && args[0] === node.target
          ? `${given[0]}.(${given.slice(1).join(", ")})`
          : `(${given.join(", ")})`;
      throw new ExpressionError(node.at, `found no matching overload for '${name}' applied to '${shown}'`);
    }
    this.calls.set(node, { overloads: fitting.map(({ overload }) => overload), args });
    if (name === "type") return typeOf(found[0] ?? dyn);
    return fitting.map(({ result }) => result).reduce(joined, first.result);
  }

  #condition(node: Node, scope: Scope, where?: string): void {
    const type = this.check(node, scope);
    if (type.kind === "bool" || type.kind === "dyn" || type.kind === "parameter") return;
    throw new ExpressionError(
      node.at,
      where
        ? `found no matching overload for '${where}' applied to '(${typeText(type)}, bool)'`
        : `expected type 'bool' but found '${typeText(type)}'`,
    );
  }

  #list({ elements }: ListNode, scope: Scope): Type {
    const types = elements.map(({ value, optional }) => this.#element(value, optional, scope));
    return listType(types.length > 0 ? types.reduce(joined) : dyn);
  }

  #map({ entries }: MapNode, scope: Scope): Type {
    const keys = entries.map(({ key }) => this.check(key, scope));
    const values = entries.map(({ value, optional }) => this.#element(value, optional, scope));
    if (keys.length === 0) return mapType(dyn, dyn);
    return mapType(keys.reduce(joined), values.reduce(joined));
  }

  #element(node: Node, optional: boolean, scope: Scope): Type {
    const type = this.check(node, scope);
    if (!optional || type.kind === "dyn") return type;
    if (type.name === "optional_type") return parameterOf(type);
    throw new ExpressionError(
      node.at,
      `expected type 'optional_type(${typeText(type)})' but found '${typeText(type)}'`,
    );
  }

  #loop(node: LoopNode, scope: Scope): Type {
    const range = this.check(node.range, scope);
    const { macro, condition, body, variables } = node;
    const [first, second] = variables;
    const types = rangeTypes(node.range, range, second !== undefined);
    const inner = new Map(scope).set(first, types[0]);
    if (second !== undefined) inner.set(second, types[1]);
    if (condition) this.#condition(condition, inner);
    const result = body ? this.check(body, inner) : dyn;
    switch (macro) {
      case "filter":
        return range.kind === "map" ? listType(parameterOf(range)) : range;
      case "map":
      case "transformList":
        return listType(result);
      case "transformMap":
        return mapType(types[0], result);
      case "transformMapEntry":
        return result.kind === "map" ? mapType(parameterOf(result), parameterOf(result, 1)) : dyn;
      default:
        return bool;
    }
  }

  #bind({ macro, variable, value, body, at }: BindNode, scope: Scope): Type {
    const given = this.check(value, scope);
    if (given.name !== "optional_type" && given.kind !== "dyn") {
      throw new ExpressionError(
        at,
        `found no matching overload for '${macro}' applied to '${typeText(given)}.()'`,
      );
    }
    const result = this.check(body, new Map(scope).set(variable, parameterOf(given)));
    return macro === "optMap" ? optionalType(result) : result;
  }
}

function literalType(value: Value): Type {
  switch (typeof value) {
    case "boolean":
      return bool;
    case "bigint":
      return int;
    case "number":
      return double;
    case "string":
      return string;
    default:
  }
  if (value === null) return nullType;
  if (value.kind === "uint") return uint;
  if (value.kind === "bytes") return bytes;
  return value.kind === "timestamp" ? timestamp : value.kind === "duration" ? duration : dyn;
}

/** Returns the qualified name of nested selections, such as `a.b.c`. */
function qualifiedName(node: Node): string | undefined {
  if (node.kind === "name") return node.name;
  if (node.kind !== "select" || node.mode !== "value") return undefined;
  const operand = qualifiedName(node.operand);
  return operand && `${operand}.${node.field}`;
}

function fieldOf({ at, field }: SelectNode, operand: Type): Type {
  if (operand.kind === "dyn" || operand.kind === "parameter") return dyn;
  if (operand.kind === "map") return parameterOf(operand, 1);
  if (operand.kind !== "object") {
    throw new ExpressionError(at, `type '${typeText(operand)}' does not support field selection`);
  }
  const found = operand.field?.(field);
  if (!found) throw new ExpressionError(at, `undefined field '${field}'`);
  return found;
}

function rangeTypes(node: Node, range: Type, both: boolean): readonly [Type, Type] {
  switch (range.kind) {
    case "dyn":
    case "parameter":
      return [dyn, dyn];
    case "list":
      return both ? [int, parameterOf(range)] : [parameterOf(range), dyn];
    case "map":
      return [parameterOf(range), parameterOf(range, 1)];
    default:
      throw new ExpressionError(
        node.at,
        `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
  }
}
