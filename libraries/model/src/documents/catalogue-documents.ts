/** Document that can be retired. Readers ignore a retired document, and it expires one minute after its last write. */
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

/** Machine image for each Hyper-V generation. There is an image for at least one generation. */
export interface MachineImages {
  readonly hyperVGen1?: MachineImage;
  readonly hyperVGen2?: MachineImage;
}

/** Installable OpenShift version. Partition: `versions`. */
export interface OpenShiftVersionDocument extends Retirable {
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftVersion: {
    readonly properties: {
      readonly version: string;
      readonly openShiftPullspec: string;
      readonly installerPullspec: string;
      /** Machine images. Undefined in documents of earlier releases, for which `publishedMachineImages` returns the images. */
      readonly machineImages?: MachineImages;
      readonly enabled: boolean;
      readonly default: boolean;
    };
  };
}

/** Current default version. Partition: `versions`. */
export interface DefaultVersionDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly version: string;
}

/** Role of a managed identity, with the cluster components that use the identity. */
export interface PlatformWorkloadIdentityRole {
  readonly operatorName: string;
  readonly roleDefinitionName: string;
  /** Resource ID of the role definition. */
  readonly roleDefinitionId: string;
  /**
   * Service accounts in the form `system:serviceaccount:{namespace}:{name}`. Each service account needs a separate federated
   * credential.
   */
  readonly serviceAccounts: readonly string[];
  /** Location of the Secret with the identity's credentials in the cluster. */
  readonly secretLocation: { readonly namespace: string; readonly name: string };
}

/** Roles that an OpenShift minor version needs. Partition: `rolesets`. */
export interface RoleSetDocument extends Retirable {
  readonly id: string;
  readonly partitionKey: string;
  readonly platformWorkloadIdentityRoleSet: {
    readonly properties: {
      /** Minor version, for example `4.16`. */
      readonly openShiftVersion: string;
      readonly platformWorkloadIdentityRoles: readonly PlatformWorkloadIdentityRole[];
    };
  };
}

export const versionsPartition = "versions";

export const roleSetsPartition = "rolesets";
