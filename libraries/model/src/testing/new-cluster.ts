import { randomUUID } from "node:crypto";
import { clusterId, type ProvisioningState, resourceGroupId } from "@keelson/arm";
import { Secret } from "@keelson/base";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";

const someSubscription = "11111111-1111-4111-8111-111111111111";
const someSubnet = (name: string) =>
  `/subscriptions/${someSubscription}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/vnet/subnets/${name}`;

export interface NewCluster {
  readonly name: string;
  readonly subscriptionId?: string;
  readonly principal?: { readonly clientId: string; readonly clientSecret: Secret };
  readonly masterSubnetId?: string;
  readonly workerSubnetId?: string;
  readonly workers?: number;
  readonly state?: ProvisioningState;
}

/**
 * Returns a cluster in the form that the frontend creates. Subnets and applications that the test does not specify do not exist
 * in Azure.
 */
export function newCluster(wanted: NewCluster): OpenShiftCluster {
  const { name, subscriptionId = someSubscription, principal } = wanted;
  return {
    id: clusterId(subscriptionId, "Customer", name),
    name,
    type: "Microsoft.RedHatOpenShift/openShiftClusters",
    location: "eastus",
    properties: {
      provisioningState: wanted.state ?? "Creating",
      architectureVersion: 1,
      createdAt: "2026-01-01T00:00:00Z",
      createdBy: "test",
      clusterProfile: {
        domain: name,
        version: "4.19.24",
        resourceGroupId: resourceGroupId(subscriptionId, `aro-${name}`).toLowerCase(),
      },
      servicePrincipalProfile: {
        clientId: principal?.clientId ?? randomUUID(),
        clientSecret: principal?.clientSecret ?? new Secret("none"),
      },
      networkProfile: {
        podCidr: "10.128.0.0/14",
        serviceCidr: "172.30.0.0/16",
        outboundType: "Loadbalancer",
        preconfiguredNSG: "Disabled",
        loadBalancerProfile: { managedOutboundIps: { count: 1 } },
      },
      masterProfile: { vmSize: "Standard_D8s_v3", subnetId: wanted.masterSubnetId ?? someSubnet("master") },
      workerProfiles: [
        {
          name: "worker",
          vmSize: "Standard_D4s_v3",
          diskSizeGB: 128,
          subnetId: wanted.workerSubnetId ?? someSubnet("worker"),
          count: wanted.workers ?? 3,
        },
      ],
      apiserverProfile: { visibility: "Public" },
      ingressProfiles: [{ name: "default", visibility: "Public" }],
    },
  };
}
