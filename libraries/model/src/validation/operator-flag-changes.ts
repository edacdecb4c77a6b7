import { flagFault } from "@keelson/aro-api";
import { isWireObject, textOf, type Wire } from "../fields/wire.ts";
import { invalid, type Violation } from "../rules/rule.ts";

const path = "properties.operatorFlags";

/**
 * Maximum number of reported flags. A body may contain tens of thousands of flags, and each unknown flag is compared with all
 * known flags.
 */
const maxFaults = 50;

/**
 * Returns a violation for each added or changed flag with an unknown name or an unsupported value. Flags with an unchanged value
 * are not checked.
 */
export function validateFlagChanges(proposed: Wire, stored: Wire): readonly Violation[] {
  const before = flagsOf(stored);
  const violations: Violation[] = [];
  for (const [name, value] of Object.entries(flagsOf(proposed))) {
    if (Object.hasOwn(before, name) && before[name] === value) continue;
    const fault = flagFault(name, textOf(value));
    if (fault !== undefined) violations.push(invalid(`${path}['${name.slice(0, 100)}']`, fault));
    if (violations.length >= maxFaults) break;
  }
  return violations;
}

function flagsOf({ properties }: Wire): Wire {
  const flags = isWireObject(properties) ? properties.operatorFlags : undefined;
  return isWireObject(flags) ? flags : {};
}
