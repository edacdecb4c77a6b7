import { collectionFunctions } from "./collections.ts";
import { networkFunctions } from "./networks.ts";
import { listFunction, resourceFunctions } from "./resources.ts";
import type { TemplateFunction } from "./signature.ts";
import { textFunctions } from "./text.ts";
import { valueFunctions } from "./values.ts";

const functions = new Map(
  Object.entries({
    ...textFunctions,
    ...collectionFunctions,
    ...valueFunctions,
    ...networkFunctions,
    ...resourceFunctions,
  }),
);

/**
 * Finds a function by its lower-case name. Functions of conditions and lambdas are part of the evaluation.
 */
export function findFunction(name: string): TemplateFunction | undefined {
  return functions.get(name) ?? (/^list[a-z]+$/.test(name) ? listFunction : undefined);
}
