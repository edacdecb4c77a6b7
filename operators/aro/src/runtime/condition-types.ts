import type { RegisteredController } from "./registered-controller.ts";

/** Suffixes of the three common condition types of a controller. */
const controllerSuffixes = ["ControllerAvailable", "ControllerProgressing", "ControllerDegraded"] as const;

/**
 * Returns a function that is true for current condition types of the Cluster. Earlier releases set other types, which the status
 * writer removes.
 */
export function knownConditions(
  controllers: readonly Pick<RegisteredController, "conditionTypes">[],
): (type: string) => boolean {
  const types = new Set(controllers.flatMap(({ conditionTypes = [] }) => conditionTypes));
  return (type) => types.has(type) || controllerSuffixes.some((suffix) => type.endsWith(suffix));
}
