import { roleAssignment, roles } from "../resources/authorization.ts";
import { dnsZone } from "../resources/network.ts";
import { containerRegistry, registryReplication } from "../resources/registry.ts";
import { storageAccount } from "../resources/storage.ts";
import { call, type Expression, groupLocation } from "../template/expression.ts";
import { defineTemplate } from "../template/template.ts";
import { shared } from "./parameters.ts";

const nameIn = (id: Expression) => call("last", call("split", id, "/"));

/** Template of the resources shared by all regions: images, DNS zones and the published version of each region. */
export const globalTemplate = defineTemplate({
  file: "rp-production-global",
  parameters: {
    acrResourceId: shared.acrResourceId,
    acrLocationOverride: {
      type: "string",
      defaultValue: "",
      description: "region of the registry if it differs from the region of the resource group",
    },
    clusterParentDomainName: shared.clusterParentDomainName,
    gatewayServicePrincipalId: shared.gatewayServicePrincipalId,
    globalDevopsServicePrincipalId: shared.globalDevopsServicePrincipalId,
    rpParentDomainName: shared.rpParentDomainName,
    rpServicePrincipalId: shared.rpServicePrincipalId,
    rpVersionStorageAccountName: {
      type: "string",
      description: "storage account whose website publishes the version of each region",
    },
  },
  resources: (parameters) => {
    const override = parameters.acrLocationOverride;
    const registry = containerRegistry(
      nameIn(parameters.acrResourceId),
      call("if", call("empty", override), groupLocation, override),
    );
    const versions = storageAccount(parameters.rpVersionStorageAccountName);
    return [
      registry,
      roleAssignment({ on: registry, role: roles.acrPull, principalId: parameters.rpServicePrincipalId }),
      roleAssignment({
        on: registry,
        role: roles.acrPull,
        principalId: parameters.gatewayServicePrincipalId,
        condition: call("not", call("empty", parameters.gatewayServicePrincipalId)),
      }),
      dnsZone(parameters.rpParentDomainName),
      dnsZone(parameters.clusterParentDomainName),
      versions,
      roleAssignment({
        on: versions,
        role: roles.storageBlobDataContributor,
        principalId: parameters.globalDevopsServicePrincipalId,
      }),
    ];
  },
});

/** Template of a registry replica near a region. */
export const replicationTemplate = defineTemplate({
  file: "rp-production-global-acr-replication",
  parameters: {
    acrResourceId: shared.acrResourceId,
    location: { type: "string", description: "region of the replica" },
  },
  resources: ({ acrResourceId, location }) => [registryReplication(nameIn(acrResourceId), location)],
});
