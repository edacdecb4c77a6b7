/** Field names with values that must not be logged. */
const secretNames: ReadonlySet<string> = new Set([
  "authorization",
  "clientSecret",
  "client_secret",
  "kubeadminPassword",
  "kubeconfig",
  "password",
  "pullSecret",
  "token",
  "access_token",
]);

/** Redacts at most three levels deep, since every line pays for it. */
const levels = 3;

/** Removes the values of fields with secret names from `line`. Returns `line` itself without such fields. */
export function redact(line: Record<string, unknown>): Record<string, unknown> {
  return redactMembers(line, levels) ?? line;
}

/** Returns a redacted copy. Undefined without anything to redact. */
function redactMembers(value: object, depth: number): Record<string, unknown> | undefined {
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const isSecret = secretNames.has(name) && member !== undefined;
    const replacement = isSecret ? "[REDACTED]" : redactBelow(member, depth - 1);
    if (replacement === undefined) continue;
    copy ??= copyOf(value);
    copy[name] = replacement;
  }
  return copy;
}

function redactBelow(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== "object" || value === null) return undefined;
  // It serialises itself.
  if ("toJSON" in value && typeof value.toJSON === "function") return undefined;
  return redactMembers(value, depth);
}

/** Copies an error's message and stack, which are not enumerable. */
function copyOf(value: object): Record<string, unknown> {
  const { message, stack } = value instanceof Error ? value : {};
  return { ...(message === undefined ? {} : { message, stack }), ...value };
}
