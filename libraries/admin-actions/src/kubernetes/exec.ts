import { CloudError } from "@keelson/arm";
import { messageOf, timeLimit } from "@keelson/base";
import type { ActionContext } from "../context/action-context.ts";
import { type ContainerName, checkContainer, checkVmName } from "../context/object-rules.ts";
import { OutputLimit, type TextStream } from "./text-stream.ts";

export interface ExecCommand extends ContainerName {
  /** Shell script for `sh -c`. */
  readonly command: string;
}

const commandLimitBytes = 4_096;
const timeLimitMs = 30 * 60_000;

/**
 * Rejects an invalid command request.
 * @throws CloudError Forbidden, InvalidParameter
 */
export function checkExecCommand(request: ExecCommand): void {
  checkContainer(request);
  const { command } = request;
  if (command === "") throw new CloudError("InvalidParameter", "The provided command must not be empty.");
  if (Buffer.byteLength(command) > commandLimitBytes) {
    throw new CloudError(
      "InvalidParameter",
      `The provided command must not exceed ${commandLimitBytes} bytes.`,
    );
  }
}

/**
 * Runs a shell command in a platform container for at most 30 minutes. If the command fails, the stream ends with a message about
 * the failure.
 * @throws CloudError Forbidden, InvalidParameter
 */
export function execInContainer(
  context: ActionContext,
  request: ExecCommand,
  timeOver = timeLimit(timeLimitMs),
): TextStream {
  checkExecCommand(request);
  return run(context, request, ["sh", "-c", request.command], timeOver);
}

/**
 * Counts the etcd keys of each namespace, largest count first. Cluster-scoped keys are counted as `<cluster-scope>`.
 * @throws CloudError InvalidParameter
 */
export function countEtcdKeys(context: ActionContext, vmName: string): TextStream {
  checkVmName(vmName);
  const container = { namespace: "openshift-etcd", pod: `etcd-${vmName}`, container: "etcdctl" };
  return run(context, container, ["bash", "-c", keyCountScript], timeLimit(timeLimitMs));
}

/**
 * Script that counts keys. A key has the form `/kubernetes.io/RESOURCE/NAMESPACE/NAME`, optionally with an API group before the
 * resource. A key that splits into five fields at its slashes may be a namespaced key, or a cluster-scoped key with a group. The
 * list of namespaces determines which case applies.
 */
export const keyCountScript = `set -euo pipefail
keys() { etcdctl get --prefix "$1" --keys-only; }
{ keys /kubernetes.io/namespaces/ | sed 's/^/known /'; keys /kubernetes.io/ | sed 's/^/key /'; } | awk '
  { count = split($2, part, "/") }
  $1 == "known" { if (count == 4) known[part[4]] = 1; next }
  count < 2 { next }
  count == 5 && part[4] in known { keys[part[4]]++; next }
  count == 6 && part[5] in known { keys[part[5]]++; next }
  { keys["<cluster-scope>"]++ }
  END { for (name in keys) print keys[name], name }' | sort -nr`;

async function* run(
  { kube, signal, logger }: ActionContext,
  { namespace, pod, container }: ContainerName,
  command: readonly string[],
  timeOver: AbortSignal,
): AsyncGenerator<string | Uint8Array> {
  yield `Executing in ${namespace}/${pod}/${container}...\n`;
  const limited = AbortSignal.any([signal, timeOver]);
  const stdout = new OutputLimit("stdout");
  const stderr = new OutputLimit("stderr");
  const aside: (string | Uint8Array)[] = [];
  let failure: string | undefined;
  try {
    for await (const output of kube().exec({ namespace, pod, container, command }, limited)) {
      if (output.stream === "exit") failure = output.failure;
      else if (output.stream === "stdout") yield* stdout.admit(output.bytes);
      else aside.push(...stderr.admit(output.bytes));
    }
  } catch (error) {
    // The caller has disconnected, so nothing would read a message about the error.
    if (signal.aborted) throw error;
    failure = limited.aborted ? "it took more than 30 minutes" : messageOf(error);
  }
  if (aside.length > 0) yield* ["stderr:\n", ...aside];
  if (failure === undefined) yield "Done.\n";
  else {
    logger.warn({ namespace, pod, container, reason: failure }, "a command of an administrator failed");
    yield `Command failed: ${failure}\n`;
  }
}
