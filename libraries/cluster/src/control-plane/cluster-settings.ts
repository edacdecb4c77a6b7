import { listAt, stringAt } from "@keelson/base";
import { isConflict, resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";
import { clusterErrors } from "../context/errors.ts";

const singleton = { name: "cluster" };

/** Sets the Azure branding of the console. */
export async function updateConsoleBranding({ kube, signal }: ClusterContext): Promise<void> {
  const spec = { customization: { brand: "azure" } };
  await kube().mergePatch(resources.operatorConsoles, singleton, { spec }, signal);
}

/** Disables the samples if the cluster has no pull secret for the images of the samples. */
export async function disableSamples(context: ClusterContext): Promise<void> {
  if (hasPullSecret(context)) return;
  const { kube, signal } = context;
  await kube().ensure(
    resources.samplesConfigs,
    {
      apiVersion: "samples.operator.openshift.io/v1",
      kind: "Config",
      metadata: singleton,
      spec: { managementState: "Removed" },
    },
    signal,
  );
}

const closedSources = [
  "certified-operators",
  "community-operators",
  "redhat-marketplace",
  "redhat-operators",
];

/**
 * Disables the default operator catalogues if the cluster has no pull secret. Does not change catalogue sources that the customer
 * added.
 */
export async function disableOperatorHubSources(context: ClusterContext): Promise<void> {
  if (hasPullSecret(context)) return;
  const { kube, signal } = context;
  const hub = await kube().get(resources.operatorHubs, singleton, signal);
  const others = listAt(hub, "spec", "sources").filter(
    (source) => !closedSources.includes(stringAt(source, "name") ?? ""),
  );
  const sources = [...closedSources.map((name) => ({ name, disabled: true })), ...others];
  // The patch replaces the complete list of sources. Because of the resource version, the patch fails if a source was added since
  // the read.
  const metadata = { resourceVersion: hub.metadata.resourceVersion };
  try {
    await kube().mergePatch(resources.operatorHubs, singleton, { metadata, spec: { sources } }, signal);
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    throw clusterErrors.ClusterNotReady("the sources of operators changed meanwhile", { cause });
  }
}

function hasPullSecret({ cluster }: ClusterContext): boolean {
  return Boolean(cluster.properties.clusterProfile.pullSecret?.reveal());
}
