import { isPlainObject } from "@keelson/base";

type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "each" }
  | { readonly kind: "every" };

/** A parsed path of `secretPaths`: `a.b`, `a.list[].b` (each element), `a.map{}.b` (every member). */
export type SecretPath = readonly Step[];

export function parseSecretPath(path: string): SecretPath {
  return path.split(".").flatMap((part): Step[] => {
    const match = /^([^[\]{}]+)((?:\[\]|\{\})*)$/.exec(part);
    if (match?.[1] === undefined)
      throw new TypeError(`secret path ${path} is not like a.b, a.list[].b or a.map{}.b`);
    const name: Step = { kind: "member", name: match[1] };
    const rest = (match[2]?.match(/../g) ?? []).map(
      (text): Step => ({ kind: text === "[]" ? "each" : "every" }),
    );
    return [name, ...rest];
  });
}

/**
 * `value` with `change` applied to what is at `path`. Only objects on the way are copied, and only when
 * something changed. `change` also gets the concrete path, such as `a.list[0].b`.
 */
export function changeAt(
  value: unknown,
  path: SecretPath,
  change: (value: unknown, concretePath: string) => unknown,
  at = "",
): unknown {
  const [step, ...rest] = path;
  if (!step) return change(value, at);
  if (step.kind === "each") {
    if (!Array.isArray(value)) return value;
    const changed = value.map((element, index) => changeAt(element, rest, change, `${at}[${index}]`));
    return changed.some((element, index) => element !== value[index]) ? changed : value;
  }
  if (!isPlainObject(value)) return value;
  const names =
    step.kind === "every" ? Object.keys(value) : Object.hasOwn(value, step.name) ? [step.name] : [];
  let copy: Record<string, unknown> | undefined;
  for (const name of names) {
    const before = value[name];
    const concrete = step.kind === "every" ? `${at}[${JSON.stringify(name)}]` : at ? `${at}.${name}` : name;
    const after = changeAt(before, rest, change, concrete);
    if (after === before) continue;
    copy ??= { ...value };
    // Not an assignment: a member may be named `__proto__`.
    Object.defineProperty(copy, name, { value: after, configurable: true, enumerable: true, writable: true });
  }
  return copy ?? value;
}
