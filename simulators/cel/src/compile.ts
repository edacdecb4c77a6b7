import type { Checked } from "./checking/checker.ts";
import { type Code, type Compiler, noOverload, type Slots, withSlot } from "./code.ts";
import { compileLoop } from "./loop.ts";
import type { BindNode, CallNode, ListNode, MapNode, Node, SelectNode } from "./syntax/ast.ts";
import { equals } from "./values/equality.ts";
import { type Type, typeText } from "./values/type.ts";
import {
  errorValue,
  isError,
  listOf,
  mapOf,
  none,
  type OptionalValue,
  optionalOf,
  type Result,
  type Value,
} from "./values/value.ts";

export function compileChecked(checked: Checked): Code {
  const compiler: Compiler = { checked, compile: (node, slots) => compileNode(compiler, node, slots) };
  return compiler.compile(checked.root, new Map());
}

function compileNode(compiler: Compiler, node: Node, slots: Slots): Code {
  const named = compiler.checked.typeNames.get(node);
  if (named) {
    const value: Value = { kind: "type", name: typeNameOfType(named) };
    return () => value;
  }
  switch (node.kind) {
    case "literal": {
      const { value } = node;
      return () => value;
    }
    case "name":
      return compileName(node.name, slots);
    case "select":
      return compileSelect(compiler, node, slots);
    case "call":
      return compileCall(compiler, node, slots);
    case "logic": {
      const terms = node.terms.map((each) => compiler.compile(each, slots));
      return compileLogic(terms, node.operator === "||");
    }
    case "choice": {
      const [condition, then, otherwise] = [node.condition, node.then, node.otherwise].map((each) =>
        compiler.compile(each, slots),
      );
      if (!condition || !then || !otherwise) return noOverload;
      return (frame) => {
        const holds = condition(frame);
        if (typeof holds !== "boolean") return isError(holds) ? holds : noOverload();
        return holds ? then(frame) : otherwise(frame);
      };
    }
    case "list":
      return compileList(compiler, node, slots);
    case "map":
      return compileMap(compiler, node, slots);
    case "loop":
      return compileLoop(compiler, node, slots);
    case "bind":
      return compileBind(compiler, node, slots);
  }
}

/** Returns the type name that the CEL function `type()` returns for values of this type. */
function typeNameOfType(type: Type): string {
  if (type.kind === "null") return "null_type";
  if (type.kind === "list" || type.kind === "map" || type.kind === "type") return type.kind;
  return type.kind === "opaque" ? (type.name ?? "") : typeText(type);
}

function compileName(name: string, slots: Slots): Code {
  const slot = slots.get(name);
  if (slot !== undefined) {
    return ({ locals, meter }) => {
      meter.spend(1);
      return locals[slot] ?? null;
    };
  }
  return ({ bindings, meter }) => {
    meter.spend(1);
    const found = bindings[name];
    return found === undefined ? errorValue(`no such attribute(s): ${name}`) : found;
  };
}

function compileSelect(compiler: Compiler, { operand, field, mode }: SelectNode, slots: Slots): Code {
  const from = compiler.compile(operand, slots);
  return (frame) => {
    frame.meter.spend(1);
    const value = from(frame);
    if (typeof value !== "object" || value === null) return noOverload();
    if (value.kind === "error") return value;
    if (value.kind === "optional") return selectFromOptional(value, field, mode);
    const found = memberOf(value, field);
    if (mode === "presence") return found === notSelectable ? noOverload() : found !== undefined;
    if (mode === "optional") return found === undefined ? none : isError(found) ? found : optionalOf(found);
    return found ?? (found === null ? null : errorValue(`no such key: ${field}`));
  };
}

const notSelectable = errorValue("no such overload");

function memberOf(value: Value, field: string): Result | undefined {
  if (typeof value !== "object" || value === null) return notSelectable;
  if (value.kind === "object" || value.kind === "map") return value.get(field);
  return notSelectable;
}

function selectFromOptional({ value }: OptionalValue, field: string, mode: SelectNode["mode"]): Result {
  const found = value === undefined ? undefined : memberOf(value, field);
  if (mode === "presence") return found !== undefined;
  if (found === undefined) return none;
  return isError(found) ? found : optionalOf(found);
}

/**
 * Compiles `&&` or `||`. Terms are evaluated in order. If a term fails, the error is returned only if no later term decides the
 * result.
 */
function compileLogic(terms: readonly Code[], decisive: boolean): Code {
  return (frame) => {
    let failure: Result | undefined;
    for (const term of terms) {
      const result = term(frame);
      if (result === decisive) return decisive;
      if (typeof result !== "boolean") failure ??= isError(result) ? result : noOverload();
    }
    return failure ?? !decisive;
  };
}

function compileCall(compiler: Compiler, node: CallNode, slots: Slots): Code {
  const resolved = compiler.checked.calls.get(node);
  if (!resolved) return noOverload;
  const args = resolved.args.map((each) => compiler.compile(each, slots));
  const [first, second] = args;
  if ((node.name === "_==_" || node.name === "_!=_") && first && second) {
    const wanted = node.name === "_==_";
    return (frame) => {
      const left = first(frame);
      if (isError(left)) return left;
      const right = second(frame);
      if (isError(right)) return right;
      frame.meter.spend(1);
      return equals(left, right, frame.meter) === wanted;
    };
  }
  const { overloads } = resolved;
  return (frame) => {
    const values: Value[] = [];
    for (const arg of args) {
      const value = arg(frame);
      if (isError(value)) return value;
      values.push(value);
    }
    frame.meter.spend(1);
    for (const overload of overloads) {
      const result = overload.call(values, frame.meter);
      if (result !== undefined) return result;
    }
    return noOverload();
  };
}

function compileList(compiler: Compiler, { elements }: ListNode, slots: Slots): Code {
  const parts = elements.map(({ value, optional }) => ({ code: compiler.compile(value, slots), optional }));
  return (frame) => {
    frame.meter.spend(10);
    const values: Value[] = [];
    for (const { code, optional } of parts) {
      const value = code(frame);
      if (isError(value)) return value;
      if (!optional) values.push(value);
      else if (typeof value === "object" && value?.kind === "optional") {
        if (value.value !== undefined) values.push(value.value);
      } else return noOverload();
    }
    return listOf(values);
  };
}

function compileMap(compiler: Compiler, { entries }: MapNode, slots: Slots): Code {
  const parts = entries.map(({ key, value, optional }) => ({
    keyCode: compiler.compile(key, slots),
    valueCode: compiler.compile(value, slots),
    optional,
  }));
  return (frame) => {
    frame.meter.spend(30);
    const pairs: [Value, Value][] = [];
    for (const { keyCode, valueCode, optional } of parts) {
      const key = keyCode(frame);
      if (isError(key)) return key;
      const value = valueCode(frame);
      if (isError(value)) return value;
      if (!optional) pairs.push([key, value]);
      else if (typeof value === "object" && value?.kind === "optional") {
        if (value.value !== undefined) pairs.push([key, value.value]);
      } else return noOverload();
    }
    return mapOf(pairs);
  };
}

function compileBind(compiler: Compiler, { macro, variable, value, body }: BindNode, slots: Slots): Code {
  const given = compiler.compile(value, slots);
  const slot = slots.size;
  const inner = compiler.compile(body, withSlot(slots, variable, slot));
  return (frame) => {
    const found = given(frame);
    if (isError(found)) return found;
    if (typeof found !== "object" || found?.kind !== "optional") return noOverload();
    if (found.value === undefined) return none;
    frame.locals[slot] = found.value;
    const result = inner(frame);
    return macro === "optFlatMap" || isError(result) ? result : optionalOf(result);
  };
}
