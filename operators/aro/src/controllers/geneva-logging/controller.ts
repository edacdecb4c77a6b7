import { singleton } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { named, TerminalError, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import {
  applyBundle,
  type BundleMember,
  bundlePermissions,
  bundleWatches,
  removeBundle,
} from "../../runtime/bundle.ts";
import {
  clusterVersionChanged,
  clusterVersionPermission,
  getClusterVersion,
  installedVersion,
  isBefore,
} from "../../runtime/cluster-version.ts";
import { may, reading } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { serviceImage } from "../../runtime/service-image.ts";
import { configMap, configsOf, daemonSets, foundation, legacy } from "./bundle.ts";
import { flags } from "./flags.ts";
import { gatewayOf } from "./gateway.ts";
import { configName, exporterName, exporterRoles, namespace } from "./names.ts";
import { profileOf } from "./profile.ts";
import { constraintsName, securityConstraints, sourceName } from "./security-constraints.ts";

const { configMaps, securityContextConstraints } = resources;
const image =
  "telemetryexporter:v20260622.00@sha256:a946e947f46a83f0515acb7fdd5be878a4300328f37f13e57f69c829c83a3fde";

const exporters: readonly BundleMember[] = exporterRoles.map((role) => ({
  resource: resources.daemonSets,
  object: { metadata: { namespace, name: exporterName(role) } },
}));
const kept: readonly BundleMember[] = [
  ...foundation(true),
  { resource: securityContextConstraints, object: { metadata: { name: constraintsName } } },
  { resource: configMaps, object: { metadata: { namespace, name: configName } } },
  ...exporters,
];

/** Deploys the collectors that send the nodes' logs to the service. */
export const genevaLogging: RegisteredController = {
  name: "GenevaLogging",
  flag: "aro.genevalogging.enabled",
  flags,
  documentation: {
    purpose:
      "Node log export in namespace `openshift-azure-logging`: security context constraints cloned from `privileged`, ConfigMap `otel-config` with one profile per role, PodMonitor and alert. DaemonSets `otel-exporter-master` and `otel-exporter-worker` while the cluster has a gateway. Deletes objects of earlier versions.",
    improvement:
      "Deletes the DaemonSets when the cluster no longer has a gateway. An invalid profile or gateway makes the controller Degraded and does not block other repairs. Sends no requests to delete objects that do not exist.",
  },
  watches: [
    clusterVersionChanged,
    watchFor(securityContextConstraints, singleton, {
      selection: { fieldSelector: `metadata.name=${sourceName}` },
      where: named(sourceName),
    }),
    ...bundleWatches([...kept, ...legacy]),
  ],
  permissions: [
    clusterVersionPermission,
    may(reading, "security.openshift.io", ["securitycontextconstraints"], { resourceNames: [sourceName] }),
    ...bundlePermissions([...kept, ...legacy]),
  ],
  async reconcile(request) {
    const { cluster, flags, objects } = request;
    const spec = cluster.spec ?? {};
    const faults: string[] = [];
    const version = installedVersion(await getClusterVersion(objects));
    const constraints = await constraintsOf(request);
    const configs = valid(faults, () =>
      configsOf({ master: profileOf(flags, "master"), worker: profileOf(flags, "worker") }),
    );
    const gateway = valid(faults, () => gatewayOf(spec));
    const reference =
      gateway && valid(faults, () => serviceImage(spec, "aro.genevalogging.otel.pullSpec", image));
    if (!constraints)
      faults.push(`securitycontextconstraints.security.openshift.io "${sourceName}" not found`);

    await removeBundle(objects, legacy);
    await applyBundle(request, [
      ...foundation(!isBefore(version, [4, 11, 0])),
      ...(constraints ? [constraints] : []),
      ...(configs ? [configMap(configs)] : []),
      ...(configs && gateway && reference !== undefined ? daemonSets(reference, configs, gateway) : []),
    ]);
    // Without a gateway, the exporters have no destination and are removed.
    if ((spec.gatewayPrivateEndpointIP ?? "") === "") await removeBundle(objects, exporters);
    if (faults.length > 0) throw new TerminalError(faults.join("\n"));
    return done;
  },
};

async function constraintsOf({ objects }: Request) {
  const source = await objects.find(securityContextConstraints, { name: sourceName });
  return source && securityConstraints(source);
}

/**
 * Returns the result of `part`. If `part` throws, its error is added to `faults` and not thrown again, so that repairs of other
 * components continue. The error persists until the Cluster changes.
 */
function valid<T>(faults: string[], part: () => T): T | undefined {
  try {
    return part();
  } catch (error) {
    faults.push(messageOf(error));
    return undefined;
  }
}
