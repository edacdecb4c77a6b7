type Flags = Readonly<Record<string, string>> | undefined;

/** True if the flag has the value `true`, compared without case. Default: false. */
export function isFlagOn(flags: Flags, name: string): boolean {
  return flags?.[name]?.toLowerCase() === "true";
}

/** Returns a flag's value, or `fallback` if the flag is not set. An empty string is a valid value. */
export function flagOr(flags: Flags, name: string, fallback: string): string {
  return flags?.[name] ?? fallback;
}
