import { CloudError, type CloudErrorBody } from "@keelson/arm";
import type { Violation } from "../rules/rule.ts";

/** A body can hold thousands of bad list elements; nobody reads more than these. */
const maxDetails = 100;

/** Throws the first violation as ARM's error, with all of them in `details` when there are several. */
export function throwViolations(violations: readonly Violation[]): void {
  const [first] = violations;
  if (!first) return;
  throw new CloudError(first.code, first.message, {
    target: first.target,
    details: violations.length > 1 ? violations.slice(0, maxDetails).map(detail) : [],
  });
}

/** Members in the order in which every other error has them. */
function detail({ code, message, target }: Violation): CloudErrorBody {
  return { code, message, ...(target ? { target } : {}) };
}
