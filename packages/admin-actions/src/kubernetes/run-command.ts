import { CloudError } from "@keelson/arm";
import type { ActionContext } from "../action-context.ts";
import type { ContainerName } from "./object-rules.ts";

/** What a command of ours in a container of the platform wrote. @throws CloudError InternalServerError when it fails */
export async function runCommand(
  { kube, signal }: ActionContext,
  { namespace, pod, container }: ContainerName,
  command: readonly string[],
): Promise<string> {
  const written: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  for await (const output of kube().exec({ namespace, pod, container, command }, signal)) {
    if (output.stream !== "exit") written[output.stream].push(output.bytes);
    else if (output.failure !== undefined) {
      const aside = Buffer.concat(written.stderr).toString().trim();
      throw new CloudError(
        "InternalServerError",
        `'${command.slice(0, 3).join(" ")}' in pod ${namespace}/${pod} failed: ${output.failure}${aside && `: ${aside}`}`,
      );
    }
  }
  return Buffer.concat(written.stdout).toString();
}
