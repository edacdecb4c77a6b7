import { CloudError } from "@keelson/arm";
import type { ActionContext } from "../context/action-context.ts";
import type { ContainerName } from "../context/object-rules.ts";

/**
 * Maximum output in bytes. The commands that the service runs list a few members or remove one member, so their output is far
 * shorter.
 */
const maxOutputBytes = 1_048_576;

/**
 * Runs a fixed command in a platform container and returns its output.
 * @throws CloudError InternalServerError if the command fails
 */
export async function runCommand(
  { kube, signal }: ActionContext,
  { namespace, pod, container }: ContainerName,
  command: readonly string[],
): Promise<string> {
  const written: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  let bytes = 0;
  for await (const output of kube().exec({ namespace, pod, container, command }, signal)) {
    if (output.stream !== "exit") {
      bytes += output.bytes.length;
      if (bytes > maxOutputBytes) {
        throw new CloudError(
          "InternalServerError",
          `'${command.slice(0, 3).join(" ")}' in pod ${namespace}/${pod} wrote more than ${maxOutputBytes} bytes.`,
        );
      }
      written[output.stream].push(output.bytes);
    } else if (output.failure !== undefined) {
      const aside = Buffer.concat(written.stderr).toString().trim();
      throw new CloudError(
        "InternalServerError",
        `'${command.slice(0, 3).join(" ")}' in pod ${namespace}/${pod} failed: ${output.failure}${aside && `: ${aside}`}`,
      );
    }
  }
  return Buffer.concat(written.stdout).toString();
}
