/** A document that may be retired. Readers skip a retired document, which expires a minute after its last write. */
export interface Retirable {
  readonly deleting?: boolean;
  readonly ttlSeconds?: number;
}

/** Marketplace image of Red Hat Enterprise Linux CoreOS. */
export interface MachineImage {
  readonly publisher: string;
  readonly offer: string;
  readonly sku: string;
  /** Concrete version, for example `419.6.20250523`. */
  readonly version: string;
}

/** Image for each Hyper-V generation; at least one. */
export interface MachineImages {
  readonly hyperVGen1?: MachineImage;
  readonly hyperVGen2?: MachineImage;
}

/** A version that can be installed. Partition: `versions`. */
export interface OpenShiftVersionDocument extends Retirable {
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftVersion: {
    readonly properties: {
      readonly version: string;
      readonly openShiftPullspec: string;
      readonly installerPullspec: string;
      /** Undefined in documents of earlier releases: `publishedMachineImages` has their images. */
      readonly machineImages?: MachineImages;
      readonly enabled: boolean;
      readonly default: boolean;
    };
  };
}

/** The default version after the last change of it. Partition: `versions`. */
export interface DefaultVersionDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly version: string;
}

/** Role of a managed identity, and the cluster components that use the identity. */
export interface PlatformWorkloadIdentityRole {
  readonly operatorName: string;
  readonly roleDefinitionName: string;
  /** Resource ID of the role definition. */
  readonly roleDefinitionId: string;
  /** `system:serviceaccount:{namespace}:{name}`; each needs a separate federated credential. */
  readonly serviceAccounts: readonly string[];
  /** Secret in the cluster with the identity's credentials. */
  readonly secretLocation: { readonly namespace: string; readonly name: string };
}

/** Roles that an OpenShift minor version needs. Partition: `rolesets`. */
export interface RoleSetDocument extends Retirable {
  readonly id: string;
  readonly partitionKey: string;
  readonly platformWorkloadIdentityRoleSet: {
    readonly properties: {
      /** Minor version, as `4.16`. */
      readonly openShiftVersion: string;
      readonly platformWorkloadIdentityRoles: readonly PlatformWorkloadIdentityRole[];
    };
  };
}

export const versionsPartition = "versions";

export const roleSetsPartition = "rolesets";
