import { withTimeout } from "@keelson/base";
import { repositoryName } from "../../base/repository-name.ts";
import type { ShellCommand } from "../containers/command.ts";
import type { ContainerFiles } from "../containers/container-files.ts";
import { connectAsPod, type PodClientDeps } from "../containers/pod-client.ts";
import { type Program, signalExitCode } from "../containers/program.ts";
import { gather } from "./must-gather.ts";
import type { PublishedProgram } from "./published-program.ts";
import { redisInitialPassword } from "./redis-initial-password.ts";
import { webhookCertgen } from "./webhook-certgen.ts";

/** Command of a container. */
export interface PublishedCommand {
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/**
 * Published programs by name. Chart hooks run these programs, and other workloads of the chart wait for the objects that the
 * programs create. The images of a simulated cluster have no files, so the effects of the programs are simulated.
 */
const programs: ReadonlyMap<string, PublishedProgram> = new Map([
  ["kube-webhook-certgen", webhookCertgen],
  ["argocd", redisInitialPassword],
]);

/** Time limit of a run in milliseconds. */
const limitMs = 60_000;
const accountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Returns the simulation of a published program. The first word of the command or arguments selects the program. A container
 * without a command is also selected by the image name, whatever its registry. `undefined` for all other containers.
 */
export function publishedProgramOf(
  { image, command, args }: PublishedCommand,
  deps: PodClientDeps,
): Program | undefined {
  const [first = "", ...rest] = [...command, ...args];
  const named = programs.get(baseName(first));
  const words = named ? rest : args;
  const name = named ? baseName(first) : repositoryName(image);
  const program = named ?? (command.length === 0 ? programs.get(name) : undefined);
  if (!program?.handles(words)) return undefined;
  return async ({ files, clock, signal, stdout }) => {
    requireToken(files);
    await using kube = await connectAsPod(deps, { userAgent: name, fieldManager: name });
    await program.run({
      args: words,
      namespace: deps.pod.metadata.namespace ?? "",
      kube,
      print: async (line) => stdout(`${line}\n`),
      clock,
      signal: withTimeout(signal, limitMs),
    });
    return signal.aborted ? signalExitCode(signal) : 0;
  };
}

/** Returns the published programs that scripts of a container can start, by name. */
export function publishedCommandsOf(deps: PodClientDeps): Readonly<Record<string, ShellCommand>> {
  return {
    gather: async (io) => {
      requireToken(io.files);
      await using kube = await connectAsPod(deps, { userAgent: "gather", fieldManager: "gather" });
      await gather(io, kube);
      return 0;
    },
  };
}

/**
 * Checks that the token of the service account is mounted, because in-cluster clients require it. A pod with
 * `automountServiceAccountToken: false` has no token.
 * @throws Error without the token
 */
function requireToken({ mounts }: ContainerFiles): void {
  if (!mounts.some(({ path }) => path === accountPath))
    throw new Error(`open ${accountPath}/token: no such file or directory`);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
