import { isPlainObject } from "@keelson/base";

/** Tree of all secret paths of one definition. One traversal of a document finds all secrets. */
export interface SecretPaths {
  /** True if a secret path ends at this node. */
  isSecret: boolean;
  readonly members: Map<string, SecretPaths>;
  /** Paths below each list element, `[]`. */
  each: SecretPaths | undefined;
  /** Paths below each map value, `{}`. */
  every: SecretPaths | undefined;
}

/** Parses paths such as `a.b`, `a.list[].b` (each element) and `a.map{}.b` (each value). */
export function parseSecretPaths(paths: readonly string[]): SecretPaths {
  const root = noPaths();
  for (const path of paths) {
    let at = root;
    for (const part of path.split(".")) {
      const match = /^([^[\]{}]+)((?:\[\]|\{\})*)$/.exec(part);
      if (match?.[1] === undefined)
        throw new TypeError(`secret path ${path} is not like a.b, a.list[].b or a.map{}.b`);
      const member = at.members.get(match[1]) ?? noPaths();
      at.members.set(match[1], member);
      at = member;
      for (const step of match[2]?.match(/../g) ?? []) {
        if (step === "[]") at = at.each ??= noPaths();
        else at = at.every ??= noPaths();
      }
    }
    at.isSecret = true;
  }
  return root;
}

function noPaths(): SecretPaths {
  return { isSecret: false, members: new Map(), each: undefined, every: undefined };
}

/** Returns the new value for the value at a path. The second argument is the path without placeholders, such as `a.list[0].b`. */
export type Change = (value: unknown, concretePath: string) => unknown;

/** Applies `change` to the values at the paths and returns the result. Only changed objects are copied. */
export function changeAt(value: unknown, paths: SecretPaths, change: Change, at = ""): unknown {
  if (paths.isSecret) return change(value, at);
  if (Array.isArray(value)) {
    const { each } = paths;
    if (!each) return value;
    const changed = value.map((element, index) => changeAt(element, each, change, `${at}[${index}]`));
    return changed.some((element, index) => element !== value[index]) ? changed : value;
  }
  if (!isPlainObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  const put = (name: string, below: SecretPaths, concrete: string) => {
    const before = value[name];
    const after = changeAt(before, below, change, concrete);
    if (after === before) return;
    copy ??= { ...value };
    // An assignment to `__proto__` would set the prototype instead of creating a field.
    if (name === "__proto__") Object.defineProperty(copy, name, { ...ownMember, value: after });
    else copy[name] = after;
  };
  for (const [name, below] of paths.members) {
    if (Object.hasOwn(value, name)) put(name, below, at ? `${at}.${name}` : name);
  }
  if (paths.every) {
    for (const name of Object.keys(value)) put(name, paths.every, `${at}[${JSON.stringify(name)}]`);
  }
  return copy ?? value;
}

const ownMember = { configurable: true, enumerable: true, writable: true };
