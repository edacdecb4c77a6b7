import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import { at, listAt, numberAt, recordAt, textAt, textsAt } from "../runtime/fields.ts";
import { resources } from "../runtime/resources.ts";
import type { WorkloadContext } from "../workloads/workload-context.ts";
import { ContainerConfigError, containerEnvironment, fieldOf, textsOf } from "./container-environment.ts";
import type { Mount } from "./container-files.ts";
import { folderName } from "./folder-name.ts";
import { resolveBelow } from "./resolve-path.ts";
import { expandSubPath } from "./sub-path-expression.ts";

export const accountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const tokenSeconds = 3_607;

export interface VolumeDeps {
  readonly context: WorkloadContext;
  readonly cluster: LogicalCluster;
  /** The file system of the pod's node. */
  readonly nodeFolder: string;
  /** The pod's own folder. */
  readonly podFolder: string;
  /** Where claims keep what they hold. */
  readonly claimsFolder: string;
}

/** Where each of a container's mounts is on this machine. Makes nothing yet. */
export async function mountsOf(
  pod: KubeObject,
  container: unknown,
  deps: VolumeDeps,
): Promise<readonly Mount[]> {
  const volumes = listAt(pod, "spec", "volumes");
  const mounts: Mount[] = [];
  let environment: Promise<Readonly<Record<string, string>>> | undefined;
  for (const mount of listAt(container, "volumeMounts")) {
    const volume = volumes.find((each) => textAt(each, "name") === textAt(mount, "name"));
    const path = normalize(`/${textAt(mount, "mountPath") ?? ""}`).replace(/\/$/, "");
    if (volume === undefined || path === "") continue;
    const folder = await folderOf(pod, volume, deps);
    const readOnly = at(mount, "readOnly") === true || filledSources.some((source) => at(volume, source));
    let subPath = textAt(mount, "subPath");
    const expression = textAt(mount, "subPathExpr");
    if (expression !== undefined && expression !== "") {
      environment ??= containerEnvironment(deps.context, pod, container, {});
      subPath = expandSubPath(expression, await environment);
    }
    mounts.push({ path, folder, readOnly, ...(subPath === undefined ? {} : { subPath }) });
  }
  return mounts;
}

/** Volumes that the kubelet fills and containers only read. */
const filledSources = ["configMap", "secret", "downwardAPI", "projected"];

/** @throws ContainerConfigError for a name that is none */
async function folderOf(pod: KubeObject, volume: unknown, deps: VolumeDeps): Promise<string> {
  const hostPath = textAt(volume, "hostPath", "path");
  if (hostPath !== undefined) return await resolveBelow(deps.nodeFolder, hostPath);
  const claim = textAt(volume, "persistentVolumeClaim", "claimName");
  if (claim === undefined)
    return join(deps.podFolder, "volumes", folderName("volume", textAt(volume, "name") ?? ""));
  const namespace = folderName("namespace", pod.metadata.namespace ?? "");
  return join(deps.claimsFolder, namespace, folderName("claimName", claim));
}

/** Makes the folders of all volumes and writes what belongs into them. Idempotent. */
export async function fillVolumes(pod: KubeObject, deps: VolumeDeps): Promise<void> {
  for (const volume of listAt(pod, "spec", "volumes")) {
    const folder = await folderOf(pod, volume, deps);
    if (textAt(volume, "hostPath", "type")?.startsWith("File")) {
      await mkdir(dirname(folder), { recursive: true });
      continue;
    }
    await mkdir(folder, { recursive: true });
    const sources = at(volume, "projected") === undefined ? [volume] : listAt(volume, "projected", "sources");
    for (const source of sources) {
      for (const [name, content] of Object.entries(await contentOf(pod, source, deps))) {
        await writeWhole(await resolveBelow(folder, name), content);
      }
    }
  }
}

/** @throws ContainerConfigError when a claim, ConfigMap or Secret that a volume needs is not there */
export async function requireSources(pod: KubeObject, { client }: WorkloadContext): Promise<void> {
  const { namespace } = pod.metadata;
  for (const volume of listAt(pod, "spec", "volumes")) {
    const claim = textAt(volume, "persistentVolumeClaim", "claimName");
    if (
      claim !== undefined &&
      !(await client.find(resources.persistentVolumeClaims, { namespace, name: claim }))
    ) {
      throw new ContainerConfigError(
        `MountVolume.SetUp failed for volume "${textAt(volume, "name")}" : persistentvolumeclaim "${claim}" not found`,
      );
    }
    const sources = at(volume, "projected") === undefined ? [volume] : listAt(volume, "projected", "sources");
    for (const source of sources) {
      const configMap = textAt(source, "configMap", "name");
      const secret = textAt(source, "secret", "secretName") ?? textAt(source, "secret", "name");
      const optional =
        at(source, "configMap", "optional") === true || at(source, "secret", "optional") === true;
      if (optional) continue;
      const name = textAt(volume, "name");
      if (
        configMap !== undefined &&
        !(await client.find(resources.configMaps, { namespace, name: configMap }))
      ) {
        throw new ContainerConfigError(
          `MountVolume.SetUp failed for volume "${name}" : configmap "${configMap}" not found`,
        );
      }
      if (secret !== undefined && !(await client.find(resources.secrets, { namespace, name: secret }))) {
        throw new ContainerConfigError(
          `MountVolume.SetUp failed for volume "${name}" : secret "${secret}" not found`,
        );
      }
    }
  }
}

async function contentOf(
  pod: KubeObject,
  source: unknown,
  { context: { client }, cluster }: VolumeDeps,
): Promise<Readonly<Record<string, string | Buffer>>> {
  const { namespace = "", name, uid } = pod.metadata;
  const configMap = textAt(source, "configMap", "name");
  if (configMap !== undefined) {
    const found = await client.find(resources.configMaps, { namespace, name: configMap });
    return chosen(textsOf(found), listAt(source, "configMap", "items"));
  }
  const secret = textAt(source, "secret", "secretName") ?? textAt(source, "secret", "name");
  if (secret !== undefined) {
    const found = await client.find(resources.secrets, { namespace, name: secret });
    const data = Object.entries(textsAt(found, "data")).map(
      ([key, value]) => [key, Buffer.from(value, "base64")] as const,
    );
    return chosen(Object.fromEntries(data), listAt(source, "secret", "items"));
  }
  const token = recordAt(source, "serviceAccountToken");
  if (at(source, "serviceAccountToken") !== undefined) {
    const audience = textAt(token, "audience");
    const issued = await cluster.issueToken({
      namespace,
      serviceAccount: textAt(pod, "spec", "serviceAccountName") ?? "default",
      expirationSeconds: numberAt(token, "expirationSeconds") ?? tokenSeconds,
      ...(audience ? { audiences: [audience] } : {}),
      boundObject: { kind: "Pod", name, ...(uid ? { uid } : {}) },
    });
    return { [textAt(token, "path") ?? "token"]: issued.token };
  }
  if (at(source, "downwardAPI") !== undefined) {
    const items = listAt(source, "downwardAPI", "items");
    return Object.fromEntries(
      items.map((item) => [
        textAt(item, "path") ?? "",
        fieldOf(pod, textAt(item, "fieldRef", "fieldPath") ?? ""),
      ]),
    );
  }
  return {};
}

function chosen<T>(
  data: Readonly<Record<string, T>>,
  items: readonly unknown[],
): Readonly<Record<string, T>> {
  if (items.length === 0) return data;
  return Object.fromEntries(
    items.flatMap((item) => {
      const content = data[textAt(item, "key") ?? ""];
      return content === undefined ? [] : [[textAt(item, "path") ?? "", content]];
    }),
  );
}

/** The token of a pod's service account, with what is needed to use it. Gives when it is to be written again. */
export async function writeAccount(
  pod: KubeObject,
  folder: string,
  { cluster, context }: VolumeDeps,
): Promise<number> {
  const { namespace = "", name, uid } = pod.metadata;
  const issued = await cluster.issueToken({
    namespace,
    serviceAccount: textAt(pod, "spec", "serviceAccountName") ?? "default",
    expirationSeconds: tokenSeconds,
    boundObject: { kind: "Pod", name, ...(uid ? { uid } : {}) },
  });
  const authority = await context.client.find(resources.configMaps, {
    namespace,
    name: "kube-root-ca.crt",
  });
  await mkdir(folder, { recursive: true });
  await writeWhole(join(folder, "token"), issued.token);
  await writeWhole(join(folder, "namespace"), namespace);
  await writeWhole(join(folder, "ca.crt"), textsOf(authority)["ca.crt"] ?? "");
  return tokenSeconds * 800;
}

/** A kubeconfig that uses the account's token: the API's address has a path, which no `KUBERNETES_SERVICE_HOST` can say. */
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

/** A reader sees the old or the new content, never half of it. */
async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, content, { mode: 0o644 });
  await rename(`${file}.new`, file);
}
