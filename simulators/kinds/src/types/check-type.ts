import { isPlainObject } from "@keelson/base";
import type { Findings } from "../catalogue/findings.ts";
import type { ChangeCheck, Check, Fields } from "../catalogue/type-facts.ts";
import type { ObjectSchema } from "../catalogue/type-schema.ts";
import { objectInside, typesLeadingTo } from "./defaults.ts";
import { typeFacts } from "./known-facts.ts";
import { allTypes } from "./types.ts";

/** Validates an object of a built-in type. Errors are in kube-apiserver's order. */
export function checkType(type: ObjectSchema, object: Fields, findings: Findings): void {
  const plan = planOf(type.name);
  if (plan) check(plan, object, findings);
}

/** Validates an update of a built-in object. Both `object` and `current` have the type `type`. */
export function checkChange(type: ObjectSchema, object: Fields, current: Fields, findings: Findings): void {
  changeChecks ??= new Map(typeFacts.flatMap(({ changes }) => Object.entries(changes ?? {})));
  changeChecks.get(type.name)?.(object, current, findings);
}

let changeChecks: ReadonlyMap<string, ChangeCheck> | undefined;

interface Step {
  readonly field: string;
  readonly checks: readonly Check[];
  readonly shape: "object" | "list" | "map" | "leaf";
  readonly plan: readonly Step[];
}

function check(steps: readonly Step[], object: Fields, findings: Findings): void {
  for (const { field, checks, shape, plan } of steps) {
    if (field === "") {
      for (const each of checks) each(object, findings);
      continue;
    }
    const value = object[field];
    if (value === undefined && checks.length === 0) continue;
    findings.enter(field);
    for (const each of checks) each(value, findings);
    if (shape !== "leaf" && value !== undefined) checkInside(shape, plan, value, findings);
    findings.leave();
  }
}

function checkInside(shape: Step["shape"], plan: readonly Step[], value: unknown, findings: Findings): void {
  if (shape === "list") {
    if (!Array.isArray(value)) return;
    for (let at = 0; at < value.length && !findings.full; at++) {
      const item: unknown = value[at];
      if (!isPlainObject(item)) continue;
      findings.enter(at);
      check(plan, item, findings);
      findings.leave();
    }
    return;
  }
  if (!isPlainObject(value)) return;
  if (shape === "object") {
    check(plan, value, findings);
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    if (findings.full) return;
    if (!isPlainObject(entry)) continue;
    findings.enter(`[${key}]`);
    check(plan, entry, findings);
    findings.leave();
  }
}

let plans: ReadonlyMap<string, readonly Step[]> | undefined;

function planOf(name: string): readonly Step[] | undefined {
  plans ??= compile();
  return plans.get(name);
}

function compile(): ReadonlyMap<string, readonly Step[]> {
  const facts = new Map(typeFacts.flatMap(({ checks }) => Object.entries(checks ?? {})));
  const unchecked = new Set(typeFacts.flatMap((group) => group.unchecked ?? []));
  const useful = typesLeadingTo((name) => facts.has(name));
  const result = new Map<string, Step[]>([...useful].map((name) => [name, []]));
  for (const [name, steps] of result) {
    const fields = allTypes().get(name)?.fields ?? new Map();
    const listed = facts.get(name) ?? [];
    const others = [...fields.keys()].filter((field) => !listed.some(([each]) => each === field));
    for (const [field, ...checks] of [...listed, ...others.map((field): [string] => [field])]) {
      const schema = fields.get(field)?.schema;
      if (!schema && field !== "") throw new Error(`checks name ${name}.${field}, which is no field`);
      const inside = schema && !unchecked.has(`${name}.${field}`) ? objectInside(schema) : undefined;
      const plan = inside && result.get(inside.type.name);
      // If a field has several check entries, its nested values are validated only at the first entry.
      const again = steps.some((step) => step.field === field);
      if (inside && plan && !again) steps.push({ field, checks, shape: inside.shape, plan });
      else if (checks.length > 0) steps.push({ field, checks, shape: "leaf", plan: [] });
    }
  }
  return result;
}
