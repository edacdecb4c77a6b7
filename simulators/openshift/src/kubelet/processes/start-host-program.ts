import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { hostEntries, inPrivateRoot, type PrivateEntry, shellExports, stringAt } from "@keelson/base";
import type { ContainerFiles } from "../containers/container-files.ts";
import { type ContainerRun, isShell } from "../runs/container-run.ts";
import { keepAccount, writeAccount } from "../volumes/account-files.ts";
import type { VolumeDeps } from "../volumes/volume-deps.ts";
import { hostRun } from "./host-run.ts";
import type { HostProgram } from "./image-registry.ts";

export interface HostProgramOptions extends VolumeDeps {
  readonly pod: KubeObject;
  readonly record: { readonly name: string; readonly spec: unknown };
  readonly program: HostProgram;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: ContainerFiles;
}

/** Host directories that programs need. */
const system = ["bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr"];
const configuration = [
  ...["ca-certificates", "ca-certificates.conf", "pki", "ssl", "alternatives", "ld.so.cache", "localtime"],
  ...["group", "hosts", "nsswitch.conf", "os-release", "passwd", "redhat-release", "resolv.conf", "services"],
].map((name) => `etc/${name}`);

const accountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Runs a host program as a container in a mount namespace. The program can access the container's files and mounts, the program's
 * directory and read-only system directories. The program's environment is the container's environment plus the in-cluster
 * variables of Kubernetes clients.
 */
export async function startHostProgram(options: HostProgramOptions): Promise<ContainerRun> {
  const { pod, record, podDirectory, context, files, program } = options;
  const own = join(podDirectory, "programs", record.name);
  const account = join(own, "account");
  await files.make();
  await mkdir(join(own, "root"), { recursive: true });
  const refreshMs = await writeAccount(pod, account, options);
  const environmentFile = join(own, "environment");
  const environment = { ...options.env, ...(await inClusterVariables(options)) };
  await writeFile(environmentFile, shellExports(environment), { mode: 0o600 });
  const root = {
    mountPoint: join(own, "root"),
    base: await files.resolve("/"),
    workDirectory: stringAt(record.spec, "workingDir") || "/",
    entries: entriesOf(program.command, files, account),
    environmentFile,
  };
  const commandLine = () => inPrivateRoot(root, [program.command, ...wordsOf(options)]);
  const run = await hostRun(commandLine, { directory: own, clock: context.clock, ...program });
  void keepAccount(run, account, refreshMs, options);
  return run;
}

/**
 * Returns the arguments of the program. If the container's command starts with a shell, the shell is the first argument. Any
 * other first word of the command is omitted because the host program replaces it.
 */
function wordsOf({ command, args }: HostProgramOptions): readonly string[] {
  const [first] = command;
  return first === undefined || isShell(first) ? [...command, ...args] : [...command.slice(1), ...args];
}

/**
 * Returns the environment variables with the API server's host and port. client-go cannot read a URL path from these variables.
 * Therefore, they contain an address that serves the cluster's API at the root path.
 */
async function inClusterVariables({
  cluster,
}: HostProgramOptions): Promise<Readonly<Record<string, string>>> {
  const { host, port } = await cluster.rootAddress();
  return { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: String(port) };
}

function entriesOf(command: string, files: ContainerFiles, account: string): readonly PrivateEntry[] {
  const directory = dirname(command);
  const mounts = files.mounts.map(({ path, directory: folder, readOnly }) => ({
    path,
    source: folder,
    readOnly,
  }));
  const isVisible = system.some((name) => directory === `/${name}` || directory.startsWith(`/${name}/`));
  return [
    ...hostEntries({ names: [...system, ...configuration], readOnly: true }),
    ...hostEntries({ names: ["dev", "proc", "sys"] }),
    ...(isVisible || directory === "/" ? [] : [{ path: directory, source: directory, readOnly: true }]),
    // Reverses the order, because parents must be mounted before their children. `files.mounts` starts with the longest path.
    ...mounts.toReversed(),
    ...(mounts.some(({ path }) => path === accountPath)
      ? []
      : [{ path: accountPath, source: account, readOnly: true }]),
  ];
}
