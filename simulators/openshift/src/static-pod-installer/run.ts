import { readFile } from "node:fs/promises";
import process from "node:process";
import { messageOf, systemClock } from "@keelson/base";
import { connectKube } from "@keelson/kube";
import { errors } from "../errors.ts";
import { ContainerFiles, type Mount } from "../kubelet/container-files.ts";
import { at, listAt, textAt } from "../runtime/fields.ts";
import { parseInstallFlags, parsePruneFlags } from "./flags.ts";
import { install } from "./install.ts";
import { NodeDisk } from "./node-disk.ts";
import { prune } from "./prune.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `installer` or `prune` with its flags. Gives the exit code; what went wrong goes to the standard error. */
export async function runStaticPodCommand(words: readonly string[], env: Environment): Promise<number> {
  const [command = "", ...args] = words;
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  try {
    if (command === "installer") await runInstaller(args, env, stop.signal);
    else if (command === "prune") await runPruner(args, env);
    else throw errors.InvalidStaticPodFlags(`${JSON.stringify(command)} is neither installer nor prune`);
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

async function runInstaller(args: readonly string[], env: Environment, stopped: AbortSignal): Promise<void> {
  const flags = parseInstallFlags(args);
  const node = env.NODE_NAME;
  if (!node) throw errors.InvalidStaticPodFlags("the environment variable NODE_NAME is required");
  await using kube = connectKube({
    kubeconfig: await ownKubeconfig(env),
    userAgent: "cluster-kube-apiserver-operator",
    fieldManager: "static-pod-installer",
  });
  const deps = { kube, node, disk: diskOf(env), clock: systemClock, print };
  await install(flags, deps, AbortSignal.any([stopped, AbortSignal.timeout(flags.timeoutMs)]));
}

async function runPruner(args: readonly string[], env: Environment): Promise<void> {
  for (const name of await prune(parsePruneFlags(args), diskOf(env))) print(`Removed ${name}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function diskOf({ KEELSON_ROOT: root, KEELSON_MOUNTS: mounts }: Environment): NodeDisk {
  if (!root || !mounts) throw errors.InvalidStaticPodFlags("no kubelet started this program");
  return new NodeDisk(new ContainerFiles(root, parseMounts(mounts)));
}

function parseMounts(text: string): readonly Mount[] {
  const value: unknown = JSON.parse(text);
  return listAt({ value }, "value").map((each) => ({
    path: textAt(each, "path") ?? "",
    folder: textAt(each, "folder") ?? "",
    readOnly: at(each, "readOnly") === true,
  }));
}

/** The kubeconfig of the pod's account with what its files hold: clients of clusters take no files. */
async function ownKubeconfig({ KUBECONFIG: file }: Environment): Promise<string> {
  if (!file) throw errors.InvalidStaticPodFlags("the environment variable KUBECONFIG is required");
  const config: unknown = JSON.parse(await readFile(file, "utf8"));
  const cluster = at(listAt(config, "clusters")[0], "cluster");
  const user = at(listAt(config, "users")[0], "user");
  const authority = await readFile(textAt(cluster, "certificate-authority") ?? "");
  const token = (await readFile(textAt(user, "tokenFile") ?? "", "utf8")).trim();
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "account",
    contexts: [{ name: "account", context: { cluster: "cluster", user: "account" } }],
    clusters: [
      {
        name: "cluster",
        cluster: {
          server: textAt(cluster, "server"),
          "certificate-authority-data": authority.toString("base64"),
        },
      },
    ],
    users: [{ name: "account", user: { token } }],
  });
}
