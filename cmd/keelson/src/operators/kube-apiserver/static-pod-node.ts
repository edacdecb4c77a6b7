import { type Logger, systemClock, withTimeout } from "@keelson/base";
import { EventRecorder } from "@keelson/controller";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { install, NodeDisk, type PruneOptions, pruneRevisions } from "@keelson/operator-kit";
import type { NodeFlags } from "../../options/node-options.ts";
import { cliErrors } from "../../output/cli-errors.ts";
import { nodeFiles } from "../node-place.ts";
import { connectNode, type NodeRun } from "./node-run.ts";

/** Command-line flags of installer pods. */
export interface InstallerFlags extends NodeFlags {
  readonly revision: number;
  readonly namespace: string;
  readonly pod: string;
  readonly resourceDir: string;
  readonly podManifestDir: string;
  readonly podManifestsLockFile?: string;
  readonly timeoutDuration: number;
  readonly configmaps: readonly string[];
  readonly optionalConfigmaps: readonly string[];
  readonly secrets: readonly string[];
  readonly optionalSecrets: readonly string[];
  readonly certDir?: string;
  readonly certConfigmaps: readonly string[];
  readonly optionalCertConfigmaps: readonly string[];
  readonly certSecrets: readonly string[];
  readonly optionalCertSecrets: readonly string[];
}

const component = "static-pod-installer";

/** Installs a revision of the static pod on this node. @throws NodeNameMissing */
export async function runInstaller(flags: InstallerFlags, run: NodeRun): Promise<void> {
  const { environment, logger, signal: stopped } = run;
  const node = environment.NODE_NAME;
  if (!node) throw cliErrors.NodeNameMissing("env var NODE_NAME is required: the node whose disk this is");
  const signal = withTimeout(stopped, flags.timeoutDuration);
  await using api = await connectNode(component, flags, run);
  const instance = environment.POD_NAME ?? node;
  const about = await eventTarget(api, flags.namespace, environment.POD_NAME, stopped);
  await using events = new EventRecorder({ api, component, instance, clock: systemClock, logger });
  await install(
    {
      revision: flags.revision,
      namespace: flags.namespace,
      pod: flags.pod,
      resourceDir: flags.resourceDir,
      podManifestDir: flags.podManifestDir,
      podManifestsLockFile: flags.podManifestsLockFile,
      revisioned: {
        configMaps: flags.configmaps,
        optionalConfigMaps: flags.optionalConfigmaps,
        secrets: flags.secrets,
        optionalSecrets: flags.optionalSecrets,
      },
      certDir: flags.certDir,
      certs: {
        configMaps: flags.certConfigmaps,
        optionalConfigMaps: flags.optionalCertConfigmaps,
        secrets: flags.certSecrets,
        optionalSecrets: flags.optionalCertSecrets,
      },
    },
    {
      api,
      node,
      disk: new NodeDisk(nodeFiles(environment)),
      report: (event) => events.record(about, event),
      clock: systemClock,
      logger,
    },
    signal,
  );
}

/**
 * Returns the `involvedObject` of the installer's Events: the owner of the installer's pod, or the namespace if no owner is
 * found.
 */
async function eventTarget(
  api: KubeClient,
  namespace: string,
  podName: string | undefined,
  signal: AbortSignal,
): Promise<KubeObject> {
  const about: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, namespace } };
  if (!podName) return about;
  const pod = await api.find(resources.pods, { namespace, name: podName }, signal).catch(() => undefined);
  const owner = pod?.metadata.ownerReferences?.[0];
  if (!owner) return about;
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion, kind, metadata: { namespace, name, uid } };
}

export async function runPrune(
  flags: PruneOptions,
  environment: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): Promise<void> {
  const pruned = await pruneRevisions(flags, new NodeDisk(nodeFiles(environment)));
  logger.info({ pruned }, "pruned revisions");
}
