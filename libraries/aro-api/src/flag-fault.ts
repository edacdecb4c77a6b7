import { closestName } from "@keelson/base";
import { operatorFlags } from "./flag-catalogue.ts";
import type { OperatorFlag } from "./operator-flag.ts";

/** Maximum length of a flag name in a message. */
const maxShown = 100;

/** Returns a message that describes the problem of a flag and its remedy. Undefined for a known flag with a valid value. */
export function flagFault(name: string, value: string): string | undefined {
  const flag = operatorFlags.get(name);
  if (!flag) {
    const similar = closestName(name, operatorFlags.keys());
    return `unknown operator flag '${name.slice(0, maxShown)}'${similar ? `, did you mean '${similar}'?` : ""}`;
  }
  const allowed = allowedValues(flag, value);
  return allowed === undefined
    ? undefined
    : `invalid value '${value.slice(0, maxShown)}' of operator flag '${name}', can only be ${allowed}`;
}

/** Describes the allowed values of a flag, or returns undefined for a valid value. */
function allowedValues({ values }: OperatorFlag, value: string): string | undefined {
  switch (values) {
    case "text":
      return undefined;
    case "switch":
      return /^(?:true|false)$/i.test(value) ? undefined : "'true' or 'false'";
    case "tri-state":
      return /^(?:true|false|)$/i.test(value) ? undefined : "'true', 'false' or empty";
    case "whole number":
      return /^[1-9]\d{0,8}$/.test(value) ? undefined : "a whole number above 0";
    default:
      return values.includes(value)
        ? undefined
        : values
            .map((each) => `'${each}'`)
            .join(", ")
            .replace(/, (?='[^']*'$)/, " or ");
  }
}
