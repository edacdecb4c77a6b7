import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import { messageOf, stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import { textsOf } from "../containers/container-environment.ts";
import { tokenSeconds } from "../containers/pod-token.ts";
import type { VolumeDeps } from "./volume-deps.ts";

/** Writes the token of a pod's service account and the related files. Returns the time of the next renewal. */
export async function writeAccount(
  pod: KubeObject,
  directory: string,
  { cluster, context }: VolumeDeps,
): Promise<number> {
  const { namespace = "", name, uid } = pod.metadata;
  const issued = await cluster.issueToken({
    namespace,
    serviceAccount: stringAt(pod, "spec", "serviceAccountName") ?? "default",
    expirationSeconds: tokenSeconds,
    boundObject: { kind: "Pod", name, ...(uid ? { uid } : {}) },
  });
  const authority = await context.client.find(resources.configMaps, {
    namespace,
    name: "kube-root-ca.crt",
  });
  await mkdir(directory, { recursive: true });
  await writeWhole(join(directory, "token"), issued.token);
  await writeWhole(join(directory, "namespace"), namespace);
  await writeWhole(join(directory, "ca.crt"), textsOf(authority)["ca.crt"] ?? "");
  return tokenSeconds * 800;
}

/** Renews the token repeatedly, each time before it expires. Stops when the process exits. */
export async function keepAccount(
  run: { readonly ended: Promise<unknown> },
  directory: string,
  firstMs: number,
  options: VolumeDeps & { readonly pod: KubeObject },
): Promise<void> {
  const { context, pod } = options;
  const over = new AbortController();
  void run.ended.then(() => over.abort());
  let pauseMs = firstMs;
  while (!over.signal.aborted) {
    try {
      await context.clock.sleep(pauseMs, over.signal);
      pauseMs = await writeAccount(pod, directory, options);
    } catch (error) {
      if (over.signal.aborted) return;
      pauseMs = retryMs;
      context.logger.warn({ pod: pod.metadata.name, error: messageOf(error) }, "token not refreshed");
    }
  }
}

const retryMs = 10_000;

/**
 * Writes a kubeconfig with the account's token. `KUBERNETES_SERVICE_HOST` is not sufficient, because the API's URL contains a
 * path.
 */
export async function writeKubeconfig(
  file: string,
  account: string,
  cluster: LogicalCluster,
  namespace: string,
): Promise<void> {
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "in-cluster",
    contexts: [{ name: "in-cluster", context: { cluster: "cluster", user: "account", namespace } }],
    clusters: [
      { name: "cluster", cluster: { server: cluster.url, "certificate-authority": join(account, "ca.crt") } },
    ],
    users: [{ name: "account", user: { tokenFile: join(account, "token") } }],
  });
  await mkdir(dirname(file), { recursive: true });
  await writeWhole(file, text);
}

/** Replaces a file atomically. */
async function writeWhole(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o644 });
  await rename(`${file}.new`, file);
}
