import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject, members } from "../base/json.ts";
import { invalidTemplate, naming } from "./errors/template-error.ts";
import { evaluateJson, evaluateText, type TextEvaluator, unroll } from "./evaluation/evaluate-json.ts";
import { contextIn, type Fetch } from "./lookups.ts";
import type { Prepared } from "./prepared.ts";
import { isSecure, shownType } from "./template/parameters.ts";
import { resolveReference } from "./template/template.ts";

/** Maximum size in bytes of a template with all its values, as in Azure. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Returns the outputs of a deployment in the format of responses. Outputs with a false condition are omitted.
 * @throws ArmError
 */
export function evaluateOutputs(
  prepared: Prepared,
  fetch: Fetch,
  ofText: TextEvaluator = evaluateText,
): JsonObject {
  const context = contextIn(prepared, prepared, fetch);
  const shown = Object.entries(prepared.template.outputs).flatMap(([name, declared]) =>
    naming("output", name, (): readonly (readonly [string, JsonObject])[] => {
      const declaration = resolveReference(prepared.template, members(declared), context.budget);
      const type = shownType("output", name, declaration);
      const { condition, copy, value } = declaration;
      if (condition !== undefined && evaluateJson(condition, context, ofText) === false) return [];
      const evaluated: JsonValue = isJsonObject(copy)
        ? unroll({ ...copy, name }, context, ofText)[1]
        : evaluateJson(value ?? null, context, ofText);
      return [[name, isSecure(type) ? { type } : { type, value: evaluated }]];
    }),
  );
  const outputs = Object.fromEntries(shown);
  const size = context.budget.measure(outputs);
  if (size <= maxBytes) return outputs;
  throw invalidTemplate(`The outputs have ${size} bytes, and those of a deployment may have ${maxBytes}`);
}
