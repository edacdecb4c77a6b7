import type { InstallContext, Installer } from "@keelson/installers";
import { usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { azureCredentials } from "../credentials/azure-credentials.ts";
import { servicePrincipalOf } from "../credentials/service-principal.ts";
import { identityManifests } from "../identity/identity-secrets.ts";
import { domainOf } from "../network/dns.ts";
import { clusterContainer } from "../storage/cluster-storage.ts";
import { graphContainer } from "../storage/storage-account-template.ts";

/** Returns the subset of a step's context that installers and Hive need. */
export function installContext(context: ClusterContext): InstallContext {
  const { environment, subscription, correlation } = context;
  return {
    documentId: context.documentId,
    get cluster() {
      return context.cluster;
    },
    update: (change) => context.update(change),
    subscription,
    get tenantId() {
      return environment.tenantIdOf(subscription);
    },
    get domain() {
      return domainOf(context).fullName;
    },
    servicePrincipal: () => servicePrincipalOf(context),
    operatorCredentials: async () =>
      usesWorkloadIdentity(context.cluster) ? identityManifests(context) : [azureCredentials(context)],
    azureEnvironment: environment.azure,
    get azure() {
      return context.azure;
    },
    graphContainer: () => clusterContainer(context, graphContainer),
    kube: () => context.kube(),
    release: () => context.release(),
    beforeRequest: () => context.connection.beforeRequest(),
    correlation,
    clock: context.clock,
    logger: context.logger,
    signal: context.signal,
    report: (progress) => context.report(progress),
  };
}

/** Returns the installer of this process. Throws in roles that do not install clusters. */
export function installerOf({ environment: { installer } }: ClusterContext): Installer {
  if (installer) return installer;
  throw new Error("The configuration of this process has no installer.");
}
