import { hostname } from "node:os";
import { Metrics, systemClock } from "@keelson/base";
import { Manager, type ManagerParts } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { syncedSources } from "@keelson/kube-apiserver-operator";
import { certSyncer, NodeDisk } from "@keelson/operator-kit";
import type { NodeFlags } from "../../options/node-options.ts";
import { buildVersion } from "../../process/build-version.ts";
import { connectOperator } from "../connect-operator.ts";
import { untilKubeconfigChanges } from "../kubeconfig-file.ts";
import { nodeFiles, nodePlace } from "../node-place.ts";
import type { NodeRun } from "./static-pod-node.ts";

export interface CertSyncerFlags extends NodeFlags {
  readonly destinationDir: string;
  readonly namespace: string;
  readonly tlsServerNameOverride?: string;
}

const component = "cert-syncer";

/** Runs until the signal aborts, or until its kubeconfig is another: it is started again then. */
export async function runCertSyncer(
  flags: CertSyncerFlags,
  { environment, logger, signal }: NodeRun,
): Promise<void> {
  const { namespace, destinationDir, tlsServerNameOverride: tlsServerName, kubeconfig } = flags;
  const placeOf = nodePlace(environment);
  const client = { userAgent: `${component}/${buildVersion()}`, fieldManager: component };
  const access = {
    ...flags,
    environment,
    placeOf,
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
  };
  await using api = await connectOperator(access, client);
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
