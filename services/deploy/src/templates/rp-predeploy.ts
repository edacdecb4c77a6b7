import { portalPorts } from "../host/portal-settings.ts";
import { roleAssignment, roles } from "../resources/authorization.ts";
import { allowInbound, networkSecurityGroup, virtualNetwork } from "../resources/network.ts";
import { keyVault } from "../resources/vault.ts";
import { call, type Expression } from "../template/expression.ts";
import { clusterVaultName, names, serviceVaultName } from "../template/names.ts";
import { defineTemplate, idOf, type Resource } from "../template/template.ts";
import { shared } from "./parameters.ts";

/**
 * Template parameter that is `true` only until the first successful deployment of the template. Later deployments do not write
 * the security groups, so emergency rules that an operator has added remain.
 */
export const deployNSGs = {
  type: "string",
  description: "'true' if the security groups do not exist yet",
} as const;

export function onlyWhenAsked(asked: Expression, resource: Resource): Resource {
  return { ...resource, condition: call("equals", asked, "true") };
}

/** Template of a region's networks and its two key vaults. The vaults must exist before secrets are created. */
export const rpPredeployTemplate = defineTemplate({
  file: "rp-production-predeploy",
  parameters: {
    deployNSGs,
    fpServicePrincipalId: shared.fpServicePrincipalId,
    globalDevopsServicePrincipalId: shared.globalDevopsServicePrincipalId,
    keyvaultIpRules: {
      type: "array",
      defaultValue: [],
      description:
        "addresses that may connect to the key vaults, in the format of Azure's ipRules. An empty list allows all addresses",
    },
    keyvaultPrefix: shared.keyvaultPrefix,
    rpNsgPortalSourceAddressPrefixes: {
      type: "array",
      defaultValue: [],
      description: "address ranges that may connect to the portal",
    },
    rpServicePrincipalId: shared.rpServicePrincipalId,
  },
  resources: (parameters) => {
    const securityGroup = networkSecurityGroup(names.rp.securityGroup, [
      {
        name: "rp_in_arm",
        priority: 120,
        access: "Allow",
        from: "AzureResourceManager",
        port: "443",
        protocol: "Tcp",
      },
      {
        name: "rp_in_geneva",
        priority: 130,
        access: "Allow",
        from: "GenevaActions",
        port: "443",
        protocol: "Tcp",
      },
      {
        name: "deny_in_gateway",
        priority: 145,
        access: "Deny",
        from: "10.0.8.0/24",
        port: "*",
        protocol: "Tcp",
      },
    ]);
    const { https, ssh } = portalPorts;
    const portalRule = allowInbound(securityGroup, {
      name: "portal_in",
      priority: 142,
      from: parameters.rpNsgPortalSourceAddressPrefixes,
      ports: [https, ssh].map(String),
    });
    const endpointSecurityGroup = networkSecurityGroup("rp-pe-nsg", []);
    const vnet = virtualNetwork(names.rp.vnet, [
      {
        name: names.rp.subnet,
        prefix: "10.0.0.0/24",
        securityGroup,
        serviceEndpoints: ["Microsoft.Storage", "Microsoft.KeyVault", "Microsoft.AzureCosmosDB"],
      },
    ]);
    const subnets = [idOf(vnet, "subnets", names.rp.subnet)];
    const network = { subnetIds: subnets, ipRules: parameters.keyvaultIpRules };
    const vault = keyVault(serviceVaultName(parameters.keyvaultPrefix), network);
    const certificates = keyVault(clusterVaultName(parameters.keyvaultPrefix), network);
    return [
      onlyWhenAsked(parameters.deployNSGs, securityGroup),
      onlyWhenAsked(parameters.deployNSGs, endpointSecurityGroup),
      { ...portalRule, condition: call("not", call("empty", parameters.rpNsgPortalSourceAddressPrefixes)) },
      vnet,
      virtualNetwork(names.rp.privateEndpointVnet, [
        {
          name: names.rp.privateEndpointSubnet,
          prefix: "10.0.4.0/22",
          securityGroup: endpointSecurityGroup,
          serviceEndpoints: ["Microsoft.Storage"],
          privateEndpoints: true,
        },
      ]),
      { ...vault, dependsOn: [idOf(vnet)] },
      { ...certificates, dependsOn: [idOf(vnet)] },
      ...[roles.keyVaultCertificatesOfficer, roles.keyVaultSecretsUser].map((role) =>
        roleAssignment({ on: certificates, role, principalId: parameters.fpServicePrincipalId }),
      ),
      roleAssignment({
        on: vault,
        role: roles.keyVaultSecretsUser,
        principalId: parameters.rpServicePrincipalId,
      }),
      roleAssignment({
        on: vault,
        role: roles.keyVaultSecretsUser,
        principalId: parameters.fpServicePrincipalId,
      }),
      roleAssignment({
        on: vault,
        role: roles.keyVaultSecretsOfficer,
        principalId: parameters.globalDevopsServicePrincipalId,
      }),
    ];
  },
});
