import type { OperatorFlag } from "@keelson/aro-api";
import { operatorWideFlags } from "../runtime/flags.ts";
import type { RegisteredController } from "../runtime/registered-controller.ts";

/**
 * Returns the flags of the controllers and of the operator, sorted by name.
 * @throws Error if two controllers declare the same flag with different values, or if a controller does not declare its enabling
 * flag
 */
export function flagCatalogue(
  controllers: readonly RegisteredController[],
): Readonly<Record<string, OperatorFlag>> {
  const flags = new Map(Object.entries(operatorWideFlags));
  for (const { name, flags: own = {} } of controllers) {
    for (const [flagName, flag] of Object.entries(own)) {
      const known = flags.get(flagName) ?? flag;
      if (JSON.stringify(known) !== JSON.stringify(flag))
        throw new Error(`${name} declares other values of ${flagName} than a second controller`);
      flags.set(flagName, flag);
    }
  }
  for (const { name, flag } of controllers)
    if (flag !== undefined && !flags.has(flag)) throw new Error(`${name} does not declare its flag ${flag}`);
  return Object.fromEntries([...flags].sort(([a], [b]) => (a < b ? -1 : 1)));
}
