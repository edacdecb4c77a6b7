type Flags = Readonly<Record<string, string>> | undefined;

/** Of a switch: on when its value is `true` in any case, off otherwise and where it is missing. */
export function isFlagOn(flags: Flags, name: string): boolean {
  return flags?.[name]?.toLowerCase() === "true";
}

/** A flag's value; `fallback` only where it is missing, as an empty text is a value. */
export function flagOr(flags: Flags, name: string, fallback: string): string {
  return flags?.[name] ?? fallback;
}
