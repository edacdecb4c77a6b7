import { withTimeout } from "@keelson/base";
import { errors } from "../base/errors.ts";
import { connectAsPod, type PodClientDeps } from "../kubelet/containers/pod-client.ts";
import { type Program, signalExitCode } from "../kubelet/containers/program.ts";
import { parseInstallFlags, parsePruneFlags } from "./flags.ts";
import { install } from "./install.ts";
import { NodeDisk } from "./node-disk.ts";
import { prune } from "./prune.ts";

const names = { userAgent: "cluster-kube-apiserver-operator", fieldManager: "static-pod-installer" };

/**
 * Returns the program `installer` or `prune`. The program can access only the mounts of its pod. It calls the API over HTTPS with
 * the pod's service account.
 */
export function staticPodCommand(command: "installer" | "prune", deps: PodClientDeps): Program {
  return async ({ args, env, files, clock, signal, stdout }) => {
    const flags = args.slice(2);
    const disk = new NodeDisk(files);
    const print = (line: string) => void stdout(`${line}\n`);
    if (command === "prune") {
      for (const name of await prune(parsePruneFlags(flags), disk)) print(`Removed ${name}`);
      return 0;
    }
    const options = parseInstallFlags(flags);
    const node = env.NODE_NAME;
    if (!node) throw errors.InvalidStaticPodFlags("the environment variable NODE_NAME is required");
    await using kube = await connectAsPod(deps, names);
    const limited = withTimeout(signal, options.timeoutMs);
    await install(options, { kube, node, disk, clock, print }, limited);
    return signal.aborted ? signalExitCode(signal) : 0;
  };
}
