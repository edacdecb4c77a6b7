import { call, groupLocation, type Value } from "../template/expression.ts";
import { idOf, type Resource } from "../template/template.ts";

export interface ScaleSet {
  readonly name: Value;
  readonly computerNamePrefix: Value;
  readonly vmSize: Value;
  readonly capacity: Value<number>;
  readonly sshPublicKey: Value;
  /** Cloud-init configuration in base64. Every process on the machine can read it. */
  readonly customData: Value;
  readonly identityId: Value;
  readonly subnetId: Value;
  readonly loadBalancer: Resource;
  readonly backend: string;
  /** Local health probe of the machine. */
  readonly health: { readonly protocol: "https" | "http"; readonly port: number };
  /** Name prefix of the set's network resources. */
  readonly prefix: string;
}

export const healthPath = "/healthz/ready";

/**
 * Returns a scale set with machines of one version. New versions use new scale sets. Only the OS image is updated in place, on a
 * third of the machines at a time.
 */
export function scaleSet(set: ScaleSet): Resource {
  const { prefix, loadBalancer } = set;
  const part = (kind: string, of: string) => ({ id: idOf(loadBalancer, kind, of) });
  return {
    type: "Microsoft.Compute/virtualMachineScaleSets",
    name: [set.name],
    location: groupLocation,
    sku: { name: set.vmSize, tier: "Standard", capacity: set.capacity },
    identity: { type: "UserAssigned", userAssignedIdentities: { [String(set.identityId)]: {} } },
    dependsOn: [idOf(loadBalancer)],
    properties: {
      overprovision: false,
      upgradePolicy: {
        mode: "Automatic",
        rollingUpgradePolicy: {
          maxBatchInstancePercent: 34,
          maxUnhealthyInstancePercent: 34,
          maxUnhealthyUpgradedInstancePercent: 34,
          pauseTimeBetweenBatches: "PT10M",
        },
        automaticOSUpgradePolicy: { enableAutomaticOSUpgrade: true },
      },
      automaticRepairsPolicy: { enabled: true, gracePeriod: "PT30M" },
      virtualMachineProfile: {
        osProfile: {
          computerNamePrefix: set.computerNamePrefix,
          adminUsername: "cloud-user",
          customData: set.customData,
          linuxConfiguration: {
            disablePasswordAuthentication: true,
            ssh: {
              publicKeys: [{ path: "/home/cloud-user/.ssh/authorized_keys", keyData: set.sshPublicKey }],
            },
          },
        },
        storageProfile: {
          imageReference: {
            publisher: "Canonical",
            offer: "ubuntu-24_04-lts",
            sku: "server",
            version: "latest",
          },
          osDisk: {
            createOption: "FromImage",
            diskSizeGB: 128,
            managedDisk: { storageAccountType: "Premium_LRS" },
          },
        },
        networkProfile: {
          networkInterfaceConfigurations: [
            {
              name: `${prefix}-vmss-nic`,
              properties: {
                primary: true,
                ipConfigurations: [
                  {
                    name: `${prefix}-vmss-ipconfig`,
                    properties: {
                      primary: true,
                      subnet: { id: set.subnetId },
                      // Public address for outbound connections. Load balancing rules cover only inbound connections.
                      publicIPAddressConfiguration: { name: `${prefix}-vmss-pip` },
                      loadBalancerBackendAddressPools: [part("backendAddressPools", set.backend)],
                    },
                  },
                ],
              },
            },
          ],
        },
        extensionProfile: {
          extensions: [
            {
              name: "health",
              properties: {
                publisher: "Microsoft.ManagedServices",
                type: "ApplicationHealthLinux",
                typeHandlerVersion: "1.0",
                autoUpgradeMinorVersion: true,
                enableAutomaticUpgrade: true,
                settings: { ...set.health, requestPath: healthPath },
              },
            },
          ],
        },
        diagnosticsProfile: { bootDiagnostics: { enabled: true } },
        securityProfile: {
          securityType: "TrustedLaunch",
          uefiSettings: { secureBootEnabled: true, vTpmEnabled: true },
        },
      },
    },
  };
}

/** Returns the prefix of computer names. Dots in the version are replaced, because computer names cannot contain them. */
export function computerName(prefix: string, version: Value): Value {
  return call("concat", `${prefix}-`, call("replace", call("replace", version, ".", "-"), "_", "-"), "-");
}
