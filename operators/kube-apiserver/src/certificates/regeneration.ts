import type { Clock } from "@keelson/base";
import { type Cache, type Controller, done, type EventText, watchFor } from "@keelson/controller";
import { differences, type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { certificateRotation, type RotationParts } from "@keelson/operator-kit";
import { findFeatureGates } from "../config/feature-gates.ts";
import { clientCaSources, combinedCa } from "./client-ca.ts";
import { gatedRotationRows } from "./rotation-rows.ts";

export interface RegenerationContext {
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly report: (event: EventText) => void;
  readonly expiry: RotationParts["expiry"];
}

const { configMaps, configNetworks, featureGates, infrastructures } = resources;
const clientCa = { namespace: "openshift-kube-apiserver", name: "client-ca" };
const cluster = { name: "cluster" };
/** Time in ms for which these controllers wait before they act, so that a running operator can act before them. */
const operatorFirstMs = 10_000;

/**
 * Returns controllers that recover a cluster in which certificates expired while the cluster was off. The controllers run next to
 * each API server, with credentials that are valid for ten years. They replace expired certificates and configure the API server
 * to trust the new certificates. `version` is the cluster version. The feature gates of this version determine the periods.
 * Without a version, normal periods apply.
 */
export function regenerationControllers(version?: string): readonly Controller<RegenerationContext>[] {
  const rotation = certificateRotation<RegenerationContext>({
    ...gatedRotationRows(
      ({ cache }) => ({
        network: cache.find(configNetworks, cluster),
        infrastructure: cache.find(infrastructures, cluster),
      }),
      ({ cache }) =>
        version === undefined ? undefined : findFeatureGates(cache.find(featureGates, cluster), version),
    ),
    policy: { onlyExpired: true },
    inputs: (keys) =>
      [configNetworks, infrastructures, featureGates].map((resource) => ({
        ...watchFor<KubeObject>(resource, cluster),
        keys,
      })),
    parts: ({ api, cache, clock, expiry, report }) => ({
      api,
      cache,
      clock,
      expiry,
      report,
      // Only the operator sets the conditions. These controllers therefore report results only in Events.
      setConditions: async () => undefined,
    }),
  });
  return [rotation, clientCaRegeneration()];
}

function clientCaRegeneration(): Controller<RegenerationContext> {
  const namespaces = [...new Set(clientCaSources.map(({ namespace }) => namespace))];
  let waitingSince: number | undefined;
  return {
    name: "CABundleController",
    watches: namespaces.map((namespace) =>
      watchFor<KubeObject>(configMaps, clientCa, {
        selection: { namespace },
        where: ({ object: { metadata } }) =>
          [...clientCaSources, clientCa].some(
            (key) => key.name === metadata.name && key.namespace === metadata.namespace,
          ),
      }),
    ),
    initialKeys: [clientCa],
    async reconcile(key, { api, cache, clock, report }, { signal }) {
      const live = cache.find(configMaps, key);
      const data = {
        "ca-bundle.crt": combinedCa(clientCaSources, (each) => cache.find(configMaps, each), clock.now()),
      };
      const patch = live ? differences(live, { data }) : { data };
      if (!patch || data["ca-bundle.crt"] === "") {
        waitingSince = undefined;
        return done;
      }
      waitingSince ??= clock.monotonicMs();
      const leftMs = waitingSince + operatorFirstMs - clock.monotonicMs();
      if (leftMs > 0) return { requeueAfterMs: leftMs };
      waitingSince = undefined;
      if (live) {
        const { resourceVersion } = live.metadata;
        await api.mergePatch(configMaps, clientCa, { ...patch, metadata: { resourceVersion } }, signal);
      } else
        await api.create(
          configMaps,
          { apiVersion: "v1", kind: "ConfigMap", metadata: clientCa, data },
          signal,
        );
      const message = `Updated ConfigMap/${clientCa.name} -n ${clientCa.namespace} because it changed`;
      report({ type: "Normal", reason: "ConfigMapUpdated", message });
      return done;
    },
  };
}
