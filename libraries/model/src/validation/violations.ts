import { CloudError, type CloudErrorBody } from "@keelson/arm";
import type { Violation } from "../rules/rule.ts";

/** Maximum number of error details. A body may have thousands of invalid list elements. */
const maxDetails = 100;

/**
 * Throws the first violation as ARM's error. If there are several violations, `details` contains all of them, including the
 * first.
 */
export function throwViolations(violations: readonly Violation[]): void {
  const [first] = violations;
  if (!first) return;
  throw new CloudError(first.code, first.message, {
    target: first.target,
    details: violations.length > 1 ? violations.slice(0, maxDetails).map(detail) : [],
  });
}

/** Returns an error detail. The order of its properties is the same as in all other errors. */
function detail({ code, message, target }: Violation): CloudErrorBody {
  return { code, message, ...(target ? { target } : {}) };
}
