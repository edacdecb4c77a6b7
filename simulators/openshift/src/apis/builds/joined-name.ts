/** Maximum length of the names of builds and pods (DNS-1123 subdomain). */
const maxLength = 253;

/**
 * Returns `{base}-{suffix}`. Replaces the end of a base that is too long by a hash. Source: openshift/library-go
 * `pkg/build/naming/namer.go`.
 */
export function joinedName(base: string, suffix: string): string {
  const name = `${base}-${suffix}`;
  if (name.length <= maxLength) return name;
  const baseLength = maxLength - "-hash4567-".length - suffix.length;
  return `${base.slice(0, baseLength)}-${hashOf(base)}-${suffix}`;
}

/** Returns the FNV-1a hash of a string as eight hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
