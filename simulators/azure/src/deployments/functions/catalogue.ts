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
 * Returns the function with a lower-case name. Conditional and lambda functions are not included, because the evaluator
 * implements them.
 */
export function findFunction(name: string): TemplateFunction | undefined {
  return functions.get(name) ?? (/^list[a-z]+$/.test(name) ? listFunction : undefined);
}
