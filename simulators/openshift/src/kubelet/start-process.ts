import { join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { messageOf, reserveFreePort } from "@keelson/base";
import { listAt, numberAt } from "../runtime/fields.ts";
import { writeAccount, writeKubeconfig } from "./account-files.ts";
import type { ContainerFiles } from "./container-files.ts";
import type { ContainerRun } from "./container-run.ts";
import type { ProcessImage } from "./image-registry.ts";
import { processRun } from "./process-run.ts";
import type { VolumeDeps } from "./volume-deps.ts";

export interface StartProcessOptions extends VolumeDeps {
  readonly pod: KubeObject;
  readonly record: { readonly name: string; readonly spec: unknown };
  readonly image: ProcessImage;
  readonly args: readonly string[];
  /** What the container names in place of the image's own program. */
  readonly program: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: boolean;
  readonly files: ContainerFiles;
}

/**
 * Starts a container as a real process with, in its environment besides the container's own:
 * `KUBECONFIG`, a kubeconfig of the pod's service account; `KEELSON_ROOT`, the folder that stands for `/`, with the
 * volumes at their mount paths below it; `KEELSON_PORT_n` for each declared port n, the port of this machine to listen
 * on in its place;
 * `KEELSON_PROGRAM`, the program that the container names, for images that have several.
 */
export async function startProcess(options: StartProcessOptions): Promise<ContainerRun> {
  const { pod, record, image, files, podFolder, cluster, context } = options;
  await files.linkMounts();
  const root = await files.resolve("/");
  // Wherever the container mounts its account, the processes find it here.
  const account = join(podFolder, "account", record.name);
  const refreshMs = await writeAccount(pod, account, options);
  const kubeconfig = join(podFolder, "account", `${record.name}.kubeconfig`);
  await writeKubeconfig(kubeconfig, account, cluster, pod.metadata.namespace ?? "default");
  const declared = listAt(record.spec, "ports").flatMap((port) => numberAt(port, "containerPort") ?? []);
  const hostPorts = await freeHostPorts(declared);
  const start = image.shared?.run ?? processRun;
  const run = start({
    command: image.command,
    args: [...(image.args ?? []), ...options.args],
    env: {
      ...image.env,
      ...options.env,
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      KUBECONFIG: kubeconfig,
      KEELSON_ROOT: root,
      ...(options.program === undefined ? {} : { KEELSON_PROGRAM: options.program }),
      KEELSON_SERVICE_ACCOUNT: account,
      ...Object.fromEntries([...hostPorts].map(([port, host]) => [`KEELSON_PORT_${port}`, String(host)])),
    },
    folder: root,
    clock: context.clock,
    stdin: options.stdin,
    hostPorts,
  });
  void keepAccount(run, account, refreshMs, options);
  return run;
}

/** Ports of this machine that were free a moment ago, by the container's. */
async function freeHostPorts(declared: readonly number[]): Promise<ReadonlyMap<number, number>> {
  await using held = new AsyncDisposableStack();
  const ports = new Map<number, number>();
  for (const port of declared) ports.set(port, held.use(await reserveFreePort()).port);
  return ports;
}

/** Replaces the token well before it expires, until the process ends. */
async function keepAccount(
  run: ContainerRun,
  folder: string,
  firstMs: number,
  options: StartProcessOptions,
): Promise<void> {
  const { context, pod } = options;
  const over = new AbortController();
  void run.ended.then(() => over.abort());
  let pauseMs = firstMs;
  while (!over.signal.aborted) {
    try {
      await context.clock.sleep(pauseMs, over.signal);
      pauseMs = await writeAccount(pod, folder, options);
    } catch (error) {
      if (over.signal.aborted) return;
      pauseMs = retryMs;
      context.logger.warn({ pod: pod.metadata.name, error: messageOf(error) }, "token not refreshed");
    }
  }
}

const retryMs = 10_000;
