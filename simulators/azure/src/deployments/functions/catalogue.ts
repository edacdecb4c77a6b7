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

/** The function of a name in lower case; those of conditions and lambdas belong to the evaluation itself. */
export function findFunction(name: string): TemplateFunction | undefined {
  return functions.get(name) ?? (/^list[a-z]+$/.test(name) ? listFunction : undefined);
}
