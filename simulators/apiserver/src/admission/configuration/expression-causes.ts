import { fieldError, type StatusCause } from "@keelson/apimachinery";
import type { Expression } from "./expression.ts";
import { conditionsOf, matchConditionsOf } from "./match-conditions.ts";

/** Returns the validation errors of a webhook's match conditions. */
export function conditionCauses(conditions: readonly unknown[], path: string): readonly StatusCause[] {
  const { expressions } = conditionsOf(matchConditionsOf({ matchConditions: conditions }), "Fail");
  return expressions.flatMap((each, at) => expressionCauses(each, `${path}[${at}].expression`));
}

/** Returns the validation errors of one expression. */
export function expressionCauses({ source, invalid }: Expression, field: string): readonly StatusCause[] {
  if (!source.trim()) return [fieldError.required(field)];
  return invalid === undefined ? [] : [fieldError.invalid(field, source, invalid)];
}
