/** Names of fields with values that must not be logged. */
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

/** Maximum depth of redaction. The depth is small, because every log line is redacted. */
const levels = 3;

/** Returns `line` without the values of secret fields. Returns the same object if `line` has no secret fields. */
export function redact(line: Record<string, unknown>): Record<string, unknown> {
  return redactMembers(line, levels) ?? line;
}

/** Returns a redacted copy. Returns undefined if nothing must be redacted. */
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
  // Skips objects that define their serialization, such as dates.
  if ("toJSON" in value && typeof value.toJSON === "function") return undefined;
  return redactMembers(value, depth);
}

/** Copies an error's message and stack, which are not enumerable. */
function copyOf(value: object): Record<string, unknown> {
  const { message, stack } = value instanceof Error ? value : {};
  return { ...(message === undefined ? {} : { message, stack }), ...value };
}
