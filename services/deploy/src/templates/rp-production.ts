import { portalPorts } from "../host/portal-settings.ts";
import { metricAlert } from "../resources/alerts.ts";
import { ownRole, roleAssignment, roles } from "../resources/authorization.ts";
import { cosmosAccount } from "../resources/cosmos.ts";
import { loadBalancer } from "../resources/load-balancer.ts";
import { dnsZone, peeringPair, publicIPAddress } from "../resources/network.ts";
import { postgresServer } from "../resources/postgres.ts";
import { computerName, healthPath, scaleSet } from "../resources/scale-set.ts";
import { storageAccount } from "../resources/storage.ts";
import {
  call,
  concat,
  type Expression,
  groupLocation,
  resourceId,
  type Value,
} from "../template/expression.ts";
import { identityName, names, networkRoleLabel, scaleSetName, secretVersionsTag } from "../template/names.ts";
import { defineTemplate, idOf, type Resource } from "../template/template.ts";
import { shared } from "./parameters.ts";

const vnetId = (name: string) => resourceId("Microsoft.Network/virtualNetworks", [name]);
const subnetId = resourceId("Microsoft.Network/virtualNetworks/subnets", [names.rp.vnet, names.rp.subnet]);

/** Template of a region's service: machines of one version, load balancer, database and alerts. */
export const rpProductionTemplate = defineTemplate({
  file: "rp-production",
  parameters: {
    clusterParentDomainName: shared.clusterParentDomainName,
    cosmosDBThroughput: {
      type: "int",
      defaultValue: 1_000,
      description: "request units per second that all containers share",
    },
    databaseAccountName: {
      type: "string",
      description: "name of the Cosmos DB account or of the PostgreSQL server",
    },
    databaseKind: { type: "string", defaultValue: "cosmos", description: "cosmos or postgres" },
    databasePassword: {
      type: "securestring",
      defaultValue: "",
      description: "password of the PostgreSQL server's administrator",
    },
    databaseSku: {
      type: "string",
      defaultValue: "Standard_D4ds_v5",
      description: "size of the PostgreSQL server",
    },
    fpServicePrincipalId: shared.fpServicePrincipalId,
    gatewayResourceGroupName: {
      type: "string",
      defaultValue: "",
      description: "resource group of the region's gateway. Empty if the region has no gateway",
    },
    gatewayServicePrincipalId: {
      type: "string",
      defaultValue: "",
      description:
        "object ID of the gateway machines' managed identity, which reads the private links of clusters from the database",
    },
    oidcStorageAccountName: {
      type: "string",
      description: "storage account whose website publishes the keys of clusters' service accounts",
    },
    rpCustomData: { type: "string", description: "cloud-init's configuration of the machines, base64" },
    rpImage: { type: "string", description: "container image that the machines run" },
    rpSecretVersions: { type: "string", description: "versions of the keys that all machines use" },
    rpVmssCapacity: { type: "int", defaultValue: 3, description: "number of machines in the region" },
    sshPublicKey: shared.sshPublicKey,
    subscriptionResourceGroupName: shared.subscriptionResourceGroupName,
    vmSize: { type: "string", description: "size of the machines" },
    vmssName: shared.vmssName,
  },
  resources: (parameters) => {
    const { fpServicePrincipalId, databaseAccountName, databaseKind } = parameters;
    const addresses = [publicIPAddress(names.rp.address), publicIPAddress(names.rp.portalAddress)] as const;
    const balancer = rpLoadBalancer(...addresses);
    const machines = scaleSet({
      name: scaleSetName("rp", parameters.vmssName),
      computerNamePrefix: computerName("rp", parameters.vmssName),
      prefix: "rp",
      vmSize: parameters.vmSize,
      capacity: parameters.rpVmssCapacity,
      sshPublicKey: parameters.sshPublicKey,
      customData: parameters.rpCustomData,
      identityId: resourceId("Microsoft.ManagedIdentity/userAssignedIdentities", [identityName("rp")]),
      subnetId,
      loadBalancer: balancer,
      backend: "rp-backend",
      health: { protocol: "https", port: 443 },
    });
    const peerings = peeringPair(
      { name: names.rp.vnet, id: vnetId(names.rp.vnet) },
      { name: names.rp.privateEndpointVnet, id: vnetId(names.rp.privateEndpointVnet) },
    );
    const zone = dnsZone(concat(groupLocation, ".", parameters.clusterParentDomainName));
    const issuers = storageAccount(parameters.oidcStorageAccountName);
    const isCosmos = call("equals", databaseKind, "cosmos");
    const isPostgres = call("equals", databaseKind, "postgres");
    const [account, ...ofAccount] = cosmosAccount({
      name: databaseAccountName,
      subnetId,
      throughput: parameters.cosmosDBThroughput,
      principalId: fpServicePrincipalId,
      condition: isCosmos,
      reader: {
        subnetId: resourceId(
          "Microsoft.Network/virtualNetworks/subnets",
          [names.gateway.vnet, names.gateway.subnet],
          { group: parameters.gatewayResourceGroupName },
        ),
        principalId: parameters.gatewayServicePrincipalId,
      },
    });
    const alertsOf = resourceId("Microsoft.Insights/actionGroups", [names.actionGroup], {
      group: parameters.subscriptionResourceGroupName,
    });
    return [
      ...addresses,
      balancer,
      {
        ...machines,
        tags: {
          version: parameters.vmssName,
          image: parameters.rpImage,
          [secretVersionsTag]: parameters.rpSecretVersions,
        },
      },
      ...peerings,
      zone,
      roleAssignment({ on: zone, role: roles.dnsZoneContributor, principalId: fpServicePrincipalId }),
      roleAssignment({ role: ownRole(networkRoleLabel), principalId: fpServicePrincipalId }),
      issuers,
      roleAssignment({
        on: issuers,
        role: roles.storageBlobDataContributor,
        principalId: fpServicePrincipalId,
      }),
      ...(account ? [account, ...ofAccount, throttlingAlert(account, alertsOf, isCosmos)] : []),
      ...postgresServer({
        name: databaseAccountName,
        password: parameters.databasePassword,
        sku: parameters.databaseSku,
        clients: { name: names.rp.vnet, id: vnetId(names.rp.vnet) },
        after: peerings.map((each) => idOf(each)),
        condition: isPostgres,
      }),
      // Alerts for three conditions: no machine is available, fewer than two of three machines are available, or the load
      // balancer does not respond.
      probeAlert("rp-availability-alert", balancer, "DipAvailability", 30, 2, alertsOf),
      probeAlert("rp-degraded-alert", balancer, "DipAvailability", 67, 3, alertsOf),
      probeAlert("rp-vnet-alert", balancer, "VipAvailability", 33, 3, alertsOf),
    ];
  },
});

function rpLoadBalancer(address: Resource, portalAddress: Resource): Resource {
  const ofPortal = { frontend: "portal-frontend", probe: "portal-probe" };
  return loadBalancer({
    name: names.rp.loadBalancer,
    frontends: [
      { name: "rp-frontend", publicIPAddress: address },
      { name: "portal-frontend", publicIPAddress: portalAddress },
    ],
    backend: "rp-backend",
    probes: [
      { name: "rp-probe", port: 443, https: healthPath },
      { name: "portal-probe", port: portalPorts.https, https: healthPath },
    ],
    rules: [
      { name: "rp-lbrule", frontend: "rp-frontend", port: 443, backendPort: 443, probe: "rp-probe" },
      {
        name: names.rp.portalRule,
        port: portalPorts.publicHttps,
        backendPort: portalPorts.https,
        ...ofPortal,
      },
      // The SSH rule uses the portal's probe. The portal becomes unready before its SSH server stops.
      {
        name: `${names.rp.portalRule}-ssh`,
        port: portalPorts.publicSsh,
        backendPort: portalPorts.ssh,
        ...ofPortal,
      },
    ],
  });
}

function probeAlert(
  name: string,
  balancer: Resource,
  metric: string,
  threshold: number,
  severity: 2 | 3,
  actionGroupId: Expression,
): Resource {
  return metricAlert({
    name: regional(name),
    of: idOf(balancer),
    ofType: balancer.type,
    metric,
    // Only the API's probe is measured. In regions without a portal, the portal's probe always fails.
    ...(metric === "DipAvailability" ? { dimensions: { BackendPort: "443" } } : {}),
    operator: "LessThan",
    threshold,
    aggregation: "Average",
    severity,
    every: "PT5M",
    over: "PT15M",
    actionGroupId,
    dependsOn: [idOf(balancer)],
  });
}

/** Returns an alert for throttled database requests. Throttling slows down the service and its customers. */
function throttlingAlert(account: Resource, actionGroupId: Expression, condition: Expression): Resource {
  return metricAlert({
    name: regional("rp-cosmosdb-alert"),
    of: idOf(account),
    ofType: account.type,
    metric: "NormalizedRUConsumption",
    operator: "GreaterThan",
    threshold: 90,
    aggregation: "Average",
    severity: 3,
    every: "PT5M",
    over: "PT1H",
    actionGroupId,
    dependsOn: [idOf(account)],
    condition,
  });
}

function regional(name: string): Value {
  return concat(`${name}-`, groupLocation);
}
