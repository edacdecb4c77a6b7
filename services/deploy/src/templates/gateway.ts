import { ownRole, roleAssignment } from "../resources/authorization.ts";
import { autoscaleName, cpuAutoscale } from "../resources/autoscale.ts";
import { loadBalancer } from "../resources/load-balancer.ts";
import { networkSecurityGroup, virtualNetwork } from "../resources/network.ts";
import { privateLinkService } from "../resources/private-link.ts";
import { computerName, healthPath, scaleSet } from "../resources/scale-set.ts";
import { resourceId } from "../template/expression.ts";
import { identityName, names, networkRoleLabel, scaleSetName } from "../template/names.ts";
import { defineTemplate } from "../template/template.ts";
import { shared } from "./parameters.ts";
import { deployNSGs, onlyWhenAsked } from "./rp-predeploy.ts";

export const gatewayPredeployTemplate = defineTemplate({
  file: "gateway-production-predeploy",
  parameters: { deployNSGs },
  resources: (parameters) => {
    const securityGroup = networkSecurityGroup("gateway-nsg", []);
    return [
      onlyWhenAsked(parameters.deployNSGs, securityGroup),
      virtualNetwork(names.gateway.vnet, [
        {
          name: names.gateway.subnet,
          prefix: "10.0.8.0/24",
          securityGroup,
          serviceEndpoints: ["Microsoft.Storage", "Microsoft.AzureCosmosDB"],
          privateLinkServices: true,
        },
      ]),
    ];
  },
});

const subnetId = resourceId("Microsoft.Network/virtualNetworks/subnets", [
  names.gateway.vnet,
  names.gateway.subnet,
]);

/**
 * Template of the gateway, through which private clusters reach the allowed hosts. Clusters connect to it only through private
 * link.
 */
export const gatewayProductionTemplate = defineTemplate({
  file: "gateway-production",
  parameters: {
    fpServicePrincipalId: shared.fpServicePrincipalId,
    gatewayCustomData: { type: "string", description: "cloud-init's configuration of the machines, base64" },
    gatewayImage: { type: "string", description: "container image that the machines run" },
    gatewayVmSize: { type: "string", defaultValue: "Standard_D8s_v4", description: "size of the machines" },
    gatewayVmssCapacity: { type: "int", defaultValue: 3, description: "minimum number of machines" },
    sshPublicKey: shared.sshPublicKey,
    vmssName: shared.vmssName,
  },
  resources: (parameters) => {
    const frontend = "gateway-frontend";
    const balancer = loadBalancer({
      name: names.gateway.loadBalancer,
      frontends: [{ name: frontend, subnetId }],
      backend: "gateway-backend",
      probes: [
        { name: "gateway-probe", port: 80, http: healthPath },
        { name: "gateway-probe-otel", port: 13_133 },
      ],
      rules: [
        { name: "gateway-lbrule-https", port: 443, backendPort: 443, probe: "gateway-probe" },
        { name: "gateway-lbrule-http", port: 80, backendPort: 80, probe: "gateway-probe" },
        { name: "gateway-lbrule-otel", port: 4_317, backendPort: 4_317, probe: "gateway-probe-otel" },
      ].map((rule) => ({ ...rule, frontend })),
    });
    const machines = scaleSet({
      name: scaleSetName("gateway", parameters.vmssName),
      computerNamePrefix: computerName("gateway", parameters.vmssName),
      prefix: "gateway",
      vmSize: parameters.gatewayVmSize,
      capacity: parameters.gatewayVmssCapacity,
      sshPublicKey: parameters.sshPublicKey,
      customData: parameters.gatewayCustomData,
      identityId: resourceId("Microsoft.ManagedIdentity/userAssignedIdentities", [identityName("gateway")]),
      subnetId,
      loadBalancer: balancer,
      backend: "gateway-backend",
      health: { protocol: "http", port: 80 },
    });
    return [
      balancer,
      privateLinkService({
        name: names.gateway.privateLinkService,
        loadBalancer: balancer,
        frontend,
        subnetId,
      }),
      { ...machines, tags: { version: parameters.vmssName, image: parameters.gatewayImage } },
      // With this role, the resource provider approves the private endpoints of clusters and admits the clusters' storage
      // accounts.
      roleAssignment({ role: ownRole(networkRoleLabel), principalId: parameters.fpServicePrincipalId }),
      cpuAutoscale(autoscaleName(machines), machines, parameters.gatewayVmssCapacity, 7),
    ];
  },
});
