import { hostname } from "node:os";
import { Metrics, systemClock } from "@keelson/base";
import { Manager, type ManagerParts } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { syncedSources } from "@keelson/kube-apiserver-operator";
import { certSyncer, NodeDisk } from "@keelson/operator-kit";
import { untilKubeconfigChanges } from "../kubeconfig-file.ts";
import { nodeFiles, nodePlace } from "../node-place.ts";
import { connectNode, type NodeAccess, type NodeRun } from "./node-run.ts";

export interface CertSyncerFlags extends NodeAccess {
  readonly destinationDir: string;
  readonly namespace: string;
}

const component = "cert-syncer";

/**
 * Copies certificates from the cluster to the node until the signal aborts or the kubeconfig changes. In the second case, the
 * process exits and the kubelet restarts it.
 */
export async function runCertSyncer(flags: CertSyncerFlags, run: NodeRun): Promise<void> {
  const { environment, logger, signal } = run;
  const { namespace, destinationDir, kubeconfig } = flags;
  const placeOf = nodePlace(environment);
  await using api = await connectNode(component, flags, run);
  const instance = environment.POD_NAME ?? hostname();
  const about: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, namespace } };
  const controller = certSyncer<ManagerParts>({
    namespace,
    destinationDir,
    names: syncedSources,
    disk: new NodeDisk(nodeFiles(environment)),
    parts: ({ api, cache, clock, events }) => ({
      api,
      cache,
      clock,
      report: (event) => events.record(about, event),
    }),
  });
  const manager = new Manager({
    api,
    component: "cert-syncer-cert-sync-controller",
    instance,
    context: (parts) => parts,
    controllers: [controller],
    metrics: new Metrics(),
    clock: systemClock,
    logger,
  });
  const changed =
    kubeconfig === undefined ? undefined : untilKubeconfigChanges(placeOf(kubeconfig), systemClock, signal);
  const ended = new AbortController();
  void changed?.then(
    () => ended.abort(),
    () => undefined,
  );
  await manager.run(AbortSignal.any([signal, ended.signal]));
}
