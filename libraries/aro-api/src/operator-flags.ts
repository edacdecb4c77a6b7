type Flags = Readonly<Record<string, string>> | undefined;

/** True if a switch has the value `true` in any case. Default: false. */
export function isFlagOn(flags: Flags, name: string): boolean {
  return flags?.[name]?.toLowerCase() === "true";
}

/** Returns a flag's value. An empty string is a value. Default: `fallback`. */
export function flagOr(flags: Flags, name: string, fallback: string): string {
  return flags?.[name] ?? fallback;
}
