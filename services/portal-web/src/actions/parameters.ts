/** Returns names and values of parameters in one line. */
export function parametersOf(parameters: Readonly<Record<string, unknown>>): string {
  return (
    Object.entries(parameters)
      .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join(" ") || "–"
  );
}
