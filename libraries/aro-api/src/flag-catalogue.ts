import { flags } from "./flags.generated.ts";
import type { OperatorFlag } from "./operator-flag.ts";

/** All flags of the in-cluster operator. Names as in Azure/ARO-RP pkg/operator. */
export const operatorFlags: ReadonlyMap<string, OperatorFlag> = new Map(Object.entries(flags));

/** Operator flags of a new cluster. */
export const defaultOperatorFlags: Readonly<Record<string, string>> = Object.freeze(
  valuesOf((flag) => flag.default),
);

/** Adds newer flags to a cluster's flags without overwriting existing ones. */
export function withNewerFlags(
  flags: Readonly<Record<string, string>>,
  catalogue = operatorFlags,
): Readonly<Record<string, string>> {
  return { ...valuesOf((flag) => flag.onOlderClusters, catalogue), ...flags };
}

function valuesOf(
  value: (flag: OperatorFlag) => string | undefined,
  catalogue = operatorFlags,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, flag] of catalogue) {
    const found = value(flag);
    if (found !== undefined) values[name] = found;
  }
  return values;
}
