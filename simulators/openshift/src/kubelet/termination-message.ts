import { stringAt } from "@keelson/base";
import type { ContainerRun, Ending } from "./runs/container-run.ts";

/** Maximum size in bytes of a termination message from the log, as in Kubernetes. */
const messageBytes = 2_048;
/** Maximum number of lines of such a message. */
const messageLines = 80;

/** Returns the end of a failed container's log if the container's `terminationMessagePolicy` is `FallbackToLogsOnError`. */
export function terminationMessage(
  spec: unknown,
  { log }: ContainerRun,
  { exitCode }: Ending,
): string | undefined {
  const fallsBack = stringAt(spec, "terminationMessagePolicy") === "FallbackToLogsOnError";
  return (exitCode !== 0 && fallsBack && log.end(messageBytes, messageLines)) || undefined;
}
