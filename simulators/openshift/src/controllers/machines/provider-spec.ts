import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { errors } from "../../base/errors.ts";
import { stringMapAt } from "../../base/fields.ts";
import type { ClusterSettings } from "../../settings/cluster-settings.ts";

/** Supported properties of `AzureMachineProviderSpec` (machine.openshift.io/v1beta1). */
export interface ProviderSpec {
  readonly vmSize: string;
  readonly location: string;
  readonly zone?: string;
  readonly resourceGroup: string;
  readonly networkResourceGroup: string;
  readonly virtualNetwork: string;
  readonly subnet: string;
  readonly publicLoadBalancer?: string;
  readonly acceleratedNetworking: boolean;
  readonly encryptionAtHost: boolean;
  readonly tags: Readonly<Record<string, string>>;
  /** Azure image reference: a resource ID, or publisher, offer, SKU and version of a marketplace image. */
  readonly image: Readonly<Record<string, string>>;
  readonly osDisk: {
    readonly sizeGB: number;
    readonly storageAccountType: string;
    readonly diskEncryptionSetId?: string;
  };
  readonly userDataSecret?: string;
}

/** Returns the marketplace image of a release in the installer's Machine format. */
export function marketplaceImage(openShiftVersion: string) {
  const [major = "4", minor = "0"] = openShiftVersion.split(".");
  return {
    offer: "aro4",
    publisher: "azureopenshift",
    resourceID: "",
    sku: `aro_${major}${minor}`,
    type: "MarketplaceNoPlan",
    version: "latest",
  } as const;
}

/** Parses `spec.providerSpec.value` of a Machine and adds platform defaults. @throws InvalidMachineConfiguration */
export function parseProviderSpec(
  machine: KubeObject,
  { platform, openShiftVersion }: ClusterSettings,
): ProviderSpec {
  const value = valueAt(machine, "spec", "providerSpec", "value");
  const vmSize = stringAt(value, "vmSize");
  if (!vmSize) throw invalid("providerSpec.value.vmSize is missing");
  const sizeGB = numberAt(value, "osDisk", "diskSizeGB") ?? 128;
  if (sizeGB <= 0 || sizeGB > 32_767)
    throw invalid(`providerSpec.value.osDisk.diskSizeGB ${sizeGB} is out of range`);
  const zone = stringAt(value, "zone");
  const publicLoadBalancer = stringAt(value, "publicLoadBalancer");
  const diskEncryptionSetId = stringAt(value, "osDisk", "managedDisk", "diskEncryptionSet", "id");
  const userDataSecret = stringAt(value, "userDataSecret", "name");
  return {
    vmSize,
    location: stringAt(value, "location") || platform.location,
    ...(zone ? { zone } : {}),
    resourceGroup: stringAt(value, "resourceGroup") || platform.resourceGroup,
    networkResourceGroup: stringAt(value, "networkResourceGroup") || platform.networkResourceGroup,
    virtualNetwork: stringAt(value, "vnet") || platform.virtualNetwork,
    subnet: stringAt(value, "subnet") || platform.computeSubnet,
    ...(publicLoadBalancer ? { publicLoadBalancer } : {}),
    acceleratedNetworking: valueAt(value, "acceleratedNetworking") === true,
    encryptionAtHost: valueAt(value, "securityProfile", "encryptionAtHost") === true,
    tags: stringMapAt(value, "tags"),
    image: imageReference(objectAt(value, "image"), openShiftVersion),
    osDisk: {
      sizeGB,
      storageAccountType: stringAt(value, "osDisk", "managedDisk", "storageAccountType") ?? "Premium_LRS",
      ...(diskEncryptionSetId ? { diskEncryptionSetId } : {}),
    },
    ...(userDataSecret ? { userDataSecret } : {}),
  };
}

function imageReference(image: unknown, openShiftVersion: string): Record<string, string> {
  const resourceId = stringAt(image, "resourceID");
  if (resourceId) return { id: resourceId };
  const { publisher, offer, sku, version } = marketplaceImage(openShiftVersion);
  return {
    publisher: stringAt(image, "publisher") || publisher,
    offer: stringAt(image, "offer") || offer,
    sku: stringAt(image, "sku") || sku,
    version: stringAt(image, "version") || version,
  };
}

function invalid(message: string): Error {
  return errors.InvalidMachineConfiguration(`failed to reconcile machine: ${message}`);
}
