import type { Region } from "../config/configuration.ts";
import type { ParameterValues } from "../template/template.ts";
import type { gatewayProductionTemplate } from "../templates/gateway.ts";
import type { globalTemplate, replicationTemplate } from "../templates/global.ts";
import type { rpPredeployTemplate } from "../templates/rp-predeploy.ts";
import type { rpProductionTemplate } from "../templates/rp-production.ts";
import type { subscriptionTemplate } from "../templates/subscription.ts";
import type { Principals } from "./principals.ts";

/**
 * Parameter values for each template. A parameter with a value from the region's configuration has the name of the configuration
 * field.
 */

export function subscriptionParameters({
  configuration,
}: Region): ParameterValues<typeof subscriptionTemplate.parameters> {
  const { alertEmails } = configuration;
  if (!alertEmails) return {};
  return {
    alertEmailReceivers: alertEmails.map((emailAddress) => ({
      name: emailAddress,
      emailAddress,
      useCommonAlertSchema: true,
    })),
  };
}

export function globalParameters(
  { configuration }: Region,
  principals: Principals,
): ParameterValues<typeof globalTemplate.parameters> {
  const { acrLocationOverride } = configuration;
  return {
    acrResourceId: configuration.acrResourceId,
    ...(acrLocationOverride === undefined ? {} : { acrLocationOverride }),
    clusterParentDomainName: configuration.clusterParentDomainName,
    ...(principals.gateway ? { gatewayServicePrincipalId: principals.gateway.principalId } : {}),
    globalDevopsServicePrincipalId: principals.deployer,
    rpParentDomainName: configuration.rpParentDomainName,
    rpServicePrincipalId: principals.rp.principalId,
    rpVersionStorageAccountName: configuration.rpVersionStorageAccountName,
  };
}

export function replicationParameters({
  configuration,
  location,
}: Region): ParameterValues<typeof replicationTemplate.parameters> {
  return { acrResourceId: configuration.acrResourceId, location };
}

export function predeployParameters(
  { configuration }: Region,
  principals: Principals,
  deployNSGs: "true" | "false",
): ParameterValues<typeof rpPredeployTemplate.parameters> {
  return {
    deployNSGs,
    fpServicePrincipalId: configuration.fpServicePrincipalId,
    globalDevopsServicePrincipalId: principals.deployer,
    ...(configuration.keyvaultAllowedAddresses
      ? { keyvaultIpRules: configuration.keyvaultAllowedAddresses.map((value) => ({ value })) }
      : {}),
    keyvaultPrefix: configuration.keyvaultPrefix,
    ...(configuration.rpNsgPortalSourceAddressPrefixes
      ? { rpNsgPortalSourceAddressPrefixes: configuration.rpNsgPortalSourceAddressPrefixes }
      : {}),
    rpServicePrincipalId: principals.rp.principalId,
  };
}

/** Values that differ between deployments of a region. */
export interface MachineValues {
  readonly version: string;
  readonly image: string;
  readonly customData: string;
  readonly sshPublicKey: string;
}

export interface RpMachineValues extends MachineValues {
  readonly secretVersions: string;
}

export function rpParameters(
  { configuration, gatewayResourceGroupName }: Region,
  { gateway }: Pick<Principals, "gateway">,
  machines: RpMachineValues,
  databasePassword: string | undefined,
): ParameterValues<typeof rpProductionTemplate.parameters> {
  const { cosmosDB, databaseSku } = configuration;
  return {
    clusterParentDomainName: configuration.clusterParentDomainName,
    ...(cosmosDB ? { cosmosDBThroughput: cosmosDB.standardProvisionedThroughput } : {}),
    databaseAccountName: configuration.databaseAccountName,
    databaseKind: configuration.databaseKind,
    ...(databasePassword === undefined ? {} : { databasePassword }),
    ...(databaseSku === undefined ? {} : { databaseSku }),
    fpServicePrincipalId: configuration.fpServicePrincipalId,
    ...(gatewayResourceGroupName === undefined || gateway === undefined
      ? {}
      : { gatewayResourceGroupName, gatewayServicePrincipalId: gateway.principalId }),
    oidcStorageAccountName: configuration.oidcStorageAccountName,
    rpCustomData: machines.customData,
    rpImage: machines.image,
    rpSecretVersions: machines.secretVersions,
    rpVmssCapacity: configuration.rpVmssCapacity,
    sshPublicKey: machines.sshPublicKey,
    subscriptionResourceGroupName: configuration.subscriptionResourceGroupName,
    vmSize: configuration.vmSize,
    vmssName: machines.version,
  };
}

export function gatewayParameters(
  { configuration }: Region,
  machines: MachineValues,
): ParameterValues<typeof gatewayProductionTemplate.parameters> {
  return {
    fpServicePrincipalId: configuration.fpServicePrincipalId,
    gatewayCustomData: machines.customData,
    gatewayImage: machines.image,
    gatewayVmSize: configuration.gatewayVmSize,
    gatewayVmssCapacity: configuration.gatewayVmssCapacity,
    sshPublicKey: machines.sshPublicKey,
    vmssName: machines.version,
  };
}
