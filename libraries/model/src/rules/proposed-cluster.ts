import type { Wire } from "../fields/wire.ts";

/**
 * Proposed cluster in the external format of any API version, with the properties that rules read. Objects that all versions
 * require are always present, because the overlay's base contains them.
 */
export interface ProposedCluster {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly location?: string;
  readonly identity?: { readonly userAssignedIdentities?: Readonly<Record<string, unknown>> };
  readonly properties: {
    readonly clusterProfile: {
      readonly pullSecret?: string;
      readonly version?: string;
    };
    readonly servicePrincipalProfile?: { readonly clientId?: string; readonly clientSecret?: string };
    readonly platformWorkloadIdentityProfile?: {
      readonly upgradeableTo?: string;
      readonly platformWorkloadIdentities?: Readonly<Record<string, { readonly resourceId?: string }>>;
    };
    readonly networkProfile: {
      readonly softwareDefinedNetwork?: string;
      readonly outboundType?: string;
      readonly loadBalancerProfile?: {
        readonly managedOutboundIps?: { readonly count?: number };
        readonly effectiveOutboundIps?: readonly unknown[];
      };
    };
    readonly masterProfile: {
      readonly vmSize?: string;
      readonly subnetId?: string;
      readonly diskEncryptionSetId?: string;
    };
    readonly workerProfiles?: readonly ProposedWorker[];
    readonly workerProfilesStatus?: readonly unknown[];
    readonly apiserverProfile: { readonly visibility?: string };
    readonly ingressProfiles?: readonly { readonly visibility?: string }[];
  };
}

export interface ProposedWorker {
  readonly name?: string;
  readonly subnetId?: string;
  readonly diskEncryptionSetId?: string;
}

/**
 * Returns the result of an overlay with a typed interface. The overlay has validated the types of all values against the schema.
 */
export function proposedCluster(wire: Wire): ProposedCluster {
  return wire as unknown as ProposedCluster;
}
