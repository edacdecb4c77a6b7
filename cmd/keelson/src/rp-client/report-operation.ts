import type { AsyncOperation } from "@keelson/arm";
import { cliErrors } from "../output/cli-errors.ts";

/** Returns the output of a completed operation. @throws ClusterFailed with the operation's error */
export function completedText(name: string, operation: AsyncOperation, output: "table" | "json"): string {
  if (operation.status !== "Succeeded") {
    throw cliErrors.ClusterFailed(
      `cluster ${name}: the operation ${operation.status}: ${JSON.stringify(operation.error)}`,
    );
  }
  return output === "json" ? `${JSON.stringify(operation)}\n` : `${name} ${operation.status}\n`;
}
