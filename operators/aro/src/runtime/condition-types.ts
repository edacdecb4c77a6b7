import type { RegisteredController } from "./registered-controller.ts";

/** Suffixes of the three common condition types of a controller. */
const controllerSuffixes = ["ControllerAvailable", "ControllerProgressing", "ControllerDegraded"] as const;

/**
 * Returns a function that returns true for the condition types that the operator sets in the Cluster. The status writer removes
 * conditions of all other types, because earlier releases set them.
 */
export function knownConditions(
  controllers: readonly Pick<RegisteredController, "conditionTypes">[],
): (type: string) => boolean {
  const types = new Set(controllers.flatMap(({ conditionTypes = [] }) => conditionTypes));
  return (type) => types.has(type) || controllerSuffixes.some((suffix) => type.endsWith(suffix));
}
