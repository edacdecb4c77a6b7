import { join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, reserveFreePort } from "@keelson/base";
import type { ContainerFiles } from "../containers/container-files.ts";
import type { ContainerRun } from "../runs/container-run.ts";
import { keepAccount, writeAccount, writeKubeconfig } from "../volumes/account-files.ts";
import type { VolumeDeps } from "../volumes/volume-deps.ts";
import type { ProcessImage } from "./image-registry.ts";
import { processRun } from "./process-run.ts";

export interface StartProcessOptions extends VolumeDeps {
  readonly pod: KubeObject;
  readonly record: { readonly name: string; readonly spec: unknown };
  readonly image: ProcessImage;
  /** Arguments that `ProcessImage.admit` returned. */
  readonly args: readonly string[];
  /** Options that `ProcessImage.admit` returned. They precede `ProcessImage.args`. */
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: boolean;
  readonly files: ContainerFiles;
}

/**
 * Starts a container as a real process. The kubelet sets only these environment variables of the process:
 * - `KUBECONFIG`: kubeconfig of the pod's service account.
 * - `KEELSON_SERVICE_ACCOUNT`: directory of the service account.
 * - `KEELSON_ROOT`: directory of the container's `/`.
 * - `KEELSON_PORT_n`: listening port that replaces the declared port n.
 *
 * The container's environment is sent as data, together with `KEELSON_MOUNTS`, a JSON list of its mounts.
 */
export async function startProcess(options: StartProcessOptions): Promise<ContainerRun> {
  const { pod, record, image, files, podDirectory, cluster, context } = options;
  await files.linkMounts();
  const root = await files.resolve("/");
  // Directory of the service account. It does not depend on the container's mount path.
  const account = join(podDirectory, "account", record.name);
  const refreshMs = await writeAccount(pod, account, options);
  const kubeconfig = join(podDirectory, "account", `${record.name}.kubeconfig`);
  await writeKubeconfig(kubeconfig, account, cluster, pod.metadata.namespace ?? "default");
  const declared = listAt(record.spec, "ports").flatMap((port) => numberAt(port, "containerPort") ?? []);
  const hostPorts = await freeHostPorts(declared);
  const start = image.shared?.run ?? processRun;
  const own = {
    KUBECONFIG: kubeconfig,
    KEELSON_ROOT: root,
    KEELSON_SERVICE_ACCOUNT: account,
    ...Object.fromEntries([...hostPorts].map(([port, host]) => [`KEELSON_PORT_${port}`, String(host)])),
  };
  const run = start({
    command: image.command,
    args: [...options.options, ...(image.args ?? []), ...options.args],
    env: { ...image.env, ...own },
    environment: {
      ...withoutReserved(options.env),
      ...own,
      KEELSON_MOUNTS: JSON.stringify(files.mounts),
    },
    directory: root,
    clock: context.clock,
    stdin: options.stdin,
    hostPorts,
  });
  void keepAccount(run, account, refreshMs, options);
  return run;
}

/** Prefix of environment variables that are reserved for the kubelet. */
const reserved = "KEELSON_";

function withoutReserved(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(reserved)));
}

/**
 * Returns free host ports by container port. A port is not reserved, so a different process can occupy it before the container
 * uses it.
 */
async function freeHostPorts(declared: readonly number[]): Promise<ReadonlyMap<number, number>> {
  await using held = new AsyncDisposableStack();
  const ports = new Map<number, number>();
  for (const port of declared) ports.set(port, held.use(await reserveFreePort()).port);
  return ports;
}
