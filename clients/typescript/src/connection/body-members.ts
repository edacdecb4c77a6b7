/** Properties of a value for the body of a request. */
export interface BodyMembers {
  /** Names of the top-level properties. */
  readonly members: readonly string[];
  /**
   * Paths of read-only properties, which the service rejects. `*` matches every element of a list and every
   * value of a map: `properties.ingressProfiles.*.ip`.
   */
  readonly readOnly: readonly string[];
}

/**
 * Returns the writable part of a value, so that a client can send back a read object. The value itself is
 * unchanged.
 */
export function sendable(value: unknown, { members, readOnly }: BodyMembers): unknown {
  const known = filterMembers(value, (name) => members.includes(name));
  return readOnly.reduce((rest, path) => without(rest, path.split(".")), known);
}

function without(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  if (Array.isArray(value)) return first === "*" ? value.map((element) => without(element, rest)) : value;
  const isMeant = (name: string) => first === "*" || first === name;
  if (rest.length === 0) return filterMembers(value, (name) => !isMeant(name));
  return mapMembers(value, (name, member) => (isMeant(name) ? without(member, rest) : member));
}

function filterMembers(value: unknown, keep: (name: string) => boolean): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => keep(name)));
}

function mapMembers(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(name, member)]));
}
