import { Secret } from "@keelson/base";
import { withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { installStateOf } from "../install/install-state.ts";
import { domainOf } from "../network/dns.ts";

/** Stores the URLs, the network plug-in and the initial password of the installed cluster. */
export async function updateClusterData(context: ClusterContext): Promise<void> {
  const { fullName } = domainOf(context);
  await context.update((cluster) =>
    withProperties(cluster, {
      apiserverProfile: { ...cluster.properties.apiserverProfile, url: `https://api.${fullName}:6443/` },
      consoleProfile: {
        ...cluster.properties.consoleProfile,
        url: `https://console-openshift-console.apps.${fullName}/`,
      },
      // The service installs only this network plug-in, even if a request with API version 2021-09-01-preview names a different
      // plug-in.
      networkProfile: { ...cluster.properties.networkProfile, softwareDefinedNetwork: "OVNKubernetes" },
      kubeadminPassword:
        cluster.properties.kubeadminPassword ?? new Secret(installStateOf(cluster).kubeadminPassword),
    }),
  );
}
