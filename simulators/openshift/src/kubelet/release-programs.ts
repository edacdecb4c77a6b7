import { fileURLToPath } from "node:url";
import type { ReleaseProgram } from "./image-registry.ts";

/** The operators of static pods, whose binaries are also what their installer and pruner pods run. */
const operators: ReadonlySet<string> = new Set([
  "cluster-etcd-operator",
  "cluster-kube-apiserver-operator",
  "cluster-kube-controller-manager-operator",
  "cluster-kube-scheduler-operator",
]);
const commands: ReadonlySet<string> = new Set(["installer", "prune"]);
const program = fileURLToPath(new URL("../static-pod-installer/main.ts", import.meta.url));

/** The program that runs as a real process in the place of a release's own; `undefined` for all other commands. */
export function releaseProgramOf(words: readonly string[]): ReleaseProgram | undefined {
  const [path = "", command = "", ...args] = words;
  const name = path.replace(/^(\/usr)?(\/local)?\/bin\//, "");
  if (!operators.has(name) || !commands.has(command)) return undefined;
  const image = {
    command: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", "--max-old-space-size=128", program],
    variables: ["NODE_NAME", "POD_NAME"],
  };
  return { image, args: [command, ...args] };
}
