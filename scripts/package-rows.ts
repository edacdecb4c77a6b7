/**
 * The rows of the architecture, top to bottom: a package imports only from rows below its own,
 * and from its own row only where `beside` says so.
 */
export const rows: readonly (readonly string[])[] = [
  ["keelson"],
  ["env"],
  ["frontend", "backend", "maintenance", "deploy"],
  ["admin-actions"],
  ["cluster"],
  ["model"],
  ["database"],
  ["azure"],
  ["controller"],
  ["kube"],
  ["arm", "openapi"],
  ["base"],
];

/** Useful on their own; only the program and tests import them. Values: the packages they may import. */
export const standIns: Readonly<Record<string, readonly string[]>> = {
  apiserver: ["base"],
  "sim-azure": ["base", "arm"],
  "sim-openshift": ["apiserver", "azure", "kube", "arm", "base"],
};

/** Why the import is forbidden; `undefined` when it is allowed. */
export function wrongArrow(from: string, to: string): string | undefined {
  if (from === to) return undefined;
  const allowed = standIns[from];
  if (allowed)
    return allowed.includes(to) ? undefined : `the stand-in ${from} may import only ${allowed.join(", ")}`;
  if (to in standIns)
    return from === "keelson" ? undefined : `only the program and tests import the stand-in ${to}`;
  const fromRow = rows.findIndex((row) => row.includes(from));
  const toRow = rows.findIndex((row) => row.includes(to));
  if (fromRow < 0) return `${from} has no row in scripts/package-rows.ts`;
  if (toRow < 0) return `${to} has no row in scripts/package-rows.ts`;
  return toRow > fromRow ? undefined : `${to} is not below ${from}`;
}
