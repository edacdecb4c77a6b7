import { randomUUID } from "node:crypto";
import { type Clock, isPlainObject, type Logger, messageOf, stringAt } from "@keelson/base";
import type { EventText } from "@keelson/controller";
import { type KubeApi, KubeError, resources } from "@keelson/kube";
import type { DiskFile, NodeDisk } from "./node-disk.ts";
import { certificatesLock, lockNode } from "./node-lock.ts";
import { podWithValues } from "./pod-placeholders.ts";
import {
  dataOf,
  readSource,
  readSources,
  type SourceDirectory,
  type SourceNames,
  type SourceReader,
} from "./read-sources.ts";
import { settleInstallers } from "./settle-installers.ts";

/** Options of an installer pod. */
export interface InstallOptions {
  readonly revision: number;
  readonly namespace: string;
  /** Name of the ConfigMap with the manifest, without the revision. For example `kube-apiserver-pod`. */
  readonly pod: string;
  readonly resourceDir: string;
  readonly podManifestDir: string;
  /** Lock file of installers. Default: a file next to the revisions. */
  readonly podManifestsLockFile?: string | undefined;
  /** Source names without the revision suffix. */
  readonly revisioned: SourceNames;
  readonly certDir?: string | undefined;
  /** Names of sources without revisions. The cert syncer updates their files while the revision runs. */
  readonly certs: SourceNames;
}

export interface InstallDeps {
  readonly api: Pick<KubeApi, "find" | "list">;
  readonly disk: NodeDisk;
  readonly node: string;
  readonly report: (event: EventText) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

const podMember = "pod.yaml";

/**
 * Installs a revision of a static pod on a node. Reads all content first. Then writes the revision, its certificates and finally
 * the manifest for the kubelet. If the process is killed, the previous revision continues to run. The next call resumes the
 * installation.
 */
export async function install(
  options: InstallOptions,
  deps: InstallDeps,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, revision } = options;
  const { api, clock, node, report, logger } = deps;
  const place = { namespace, node, revision };
  await settleInstallers(api, place, clock, signal);
  try {
    const content = await readRevision(options, deps, signal);
    const file = options.podManifestsLockFile ?? `${options.resourceDir}/.${options.pod}.lock`;
    using _ = await lockNode(deps.disk, file, clock, signal);
    // While this installer waited for the lock, an installer of a newer revision may have started. In this case,
    // `settleInstallers` throws.
    await settleInstallers(api, place, clock, signal);
    await writeRevision(options, content, deps, signal);
  } catch (error) {
    const message = `Installing revision ${revision}: ${messageOf(error)}`;
    report({ type: "Warning", reason: "StaticPodInstallerFailed", message });
    throw new Error(`failed to copy: ${messageOf(error)}`, { cause: error });
  }
  logger.info({ revision, node }, "installed a revision");
  const message = `Successfully installed revision ${revision}`;
  report({ type: "Normal", reason: "StaticPodInstallerCompleted", message });
}

interface RevisionContent {
  readonly revisioned: readonly SourceDirectory[];
  readonly certs: readonly SourceDirectory[];
  /** Manifest files by name. */
  readonly manifests: ReadonlyMap<string, DiskFile>;
}

async function readRevision(
  options: InstallOptions,
  { api, clock, node }: InstallDeps,
  signal: AbortSignal,
): Promise<RevisionContent> {
  const { certDir, namespace, pod, revision } = options;
  const reader: SourceReader = { api, namespace, clock };
  const revisioned = await readSources(options.revisioned, `-${revision}`, reader, signal);
  const certs = certDir === undefined ? [] : await readSources(options.certs, "", reader, signal);
  const source = await readSource("configmaps", `${pod}-${revision}`, reader, signal);
  if (!source) throw new Error(`configmaps "${pod}-${revision}" not found in ${namespace}`);
  const texts = dataOf("configmaps", source);
  if (!texts[podMember]) throw new Error("required 'pod.yaml' key does not exist in configmap");
  const uid = await needsUid(api, node, signal);
  const manifests = new Map<string, DiskFile>();
  for (const [name, text] of Object.entries(texts)) {
    if (name !== podMember && !name.endsWith("-pod.yaml")) continue;
    const manifest = podWithValues(text.toString(), { revision, node });
    const metadata = isPlainObject(manifest.metadata) ? { ...manifest.metadata } : {};
    delete metadata.uid;
    if (uid) metadata.uid = randomUUID();
    const content = `${JSON.stringify({ ...manifest, metadata })}\n`;
    manifests.set(name === podMember ? `${pod}.yaml` : name, { content, mode: 0o600 });
  }
  return { revisioned, certs, manifests };
}

/**
 * True if the manifest needs a new UID. Kubelets before 1.23 stop the replaced static pod gracefully only if the new manifest has
 * a different UID.
 */
async function needsUid(api: Pick<KubeApi, "find">, node: string, signal: AbortSignal): Promise<boolean> {
  try {
    const found = await api.find(resources.nodes, { name: node }, signal);
    const version = stringAt(found, "status", "nodeInfo", "kubeletVersion") ?? "";
    const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
    return major !== undefined && Number(major) === 1 && Number(minor) < 23;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return false;
  }
}

async function writeRevision(
  { resourceDir, pod, revision, certDir, podManifestDir }: InstallOptions,
  { revisioned, certs, manifests }: RevisionContent,
  { clock, disk, logger }: InstallDeps,
  signal: AbortSignal,
): Promise<void> {
  const directory = `${resourceDir}/${pod}-${revision}`;
  await writeDirectories(directory, revisioned, disk);
  if (certDir !== undefined) {
    using _ = await lockNode(disk, certificatesLock(certDir), clock, signal);
    await writeDirectories(certDir, certs, disk);
  }
  for (const [file, manifest] of manifests) await disk.writeFile(`${directory}/${file}`, manifest);
  await disk.makeDirectory(podManifestDir);
  for (const [file, manifest] of manifests) {
    // The write replaces the manifest with a new file by a rename. The manifest is therefore never missing.
    await disk.writeFile(`${podManifestDir}/${file}`, manifest);
    logger.info({ file: `${podManifestDir}/${file}` }, "wrote a static pod manifest");
  }
}

async function writeDirectories(
  directory: string,
  sources: readonly SourceDirectory[],
  disk: NodeDisk,
): Promise<void> {
  for (const { kind, name, files } of sources)
    await disk.replaceDirectory(`${directory}/${kind}/${name}`, files);
}
