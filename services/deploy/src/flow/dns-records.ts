import { portalRecord } from "../host/portal-settings.ts";
import { names } from "../template/names.ts";
import { type DeployContext, inRegion } from "./context.ts";

const ttlSeconds = 3_600;

/**
 * Writes the region's DNS records in the parent zones: the records of the service and the portal, and the NS records of the
 * clusters' zone.
 */
export async function writeDnsRecords(context: DeployContext): Promise<void> {
  const { region, connect, signal, report } = context;
  const { configuration, location } = region;
  const { azure, group } = inRegion(context);
  const { dns } = connect(configuration.globalSubscriptionId);
  const globalGroup = configuration.globalResourceGroupName;
  const call = azure.call(signal);
  report({
    phase: "dns",
    kind: "state",
    text: `records of ${location} in ${configuration.rpParentDomainName}`,
  });
  const addresses = {
    [`rp.${location}`]: names.rp.address,
    [portalRecord(location)]: names.rp.portalAddress,
  };
  for (const [record, address] of Object.entries(addresses)) {
    const { ipAddress = "" } = await azure.network.publicIPAddresses.get(group, address, call);
    const records = { ttl: ttlSeconds, aRecords: [{ ipv4Address: ipAddress }] };
    const zone = configuration.rpParentDomainName;
    await dns.recordSets.createOrUpdate(globalGroup, zone, record, "A", records, call);
  }
  const zone = `${location}.${configuration.clusterParentDomainName}`;
  const { nameServers = [] } = await azure.dns.zones.get(group, zone, call);
  await dns.recordSets.createOrUpdate(
    globalGroup,
    configuration.clusterParentDomainName,
    location,
    "NS",
    { ttl: ttlSeconds, nsRecords: nameServers.map((nsdname) => ({ nsdname })) },
    call,
  );
}
