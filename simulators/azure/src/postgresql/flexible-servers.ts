import { ArmError, badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { at, members, nonEmptyStringAt, objectsAt, without, withProperties } from "../base/json.ts";

const namespace = "Microsoft.DBforPostgreSQL";

/** PostgreSQL flexible servers as ARM resources. The simulation runs no databases. */
export const flexibleServers: ResourceType = {
  namespace,
  type: "flexibleServers",
  statuses: { creating: 202, deleted: 204 },
  names: /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
  provisioningState: false,
  readOnly: ["fullyQualifiedDomainName", "state", "minorVersion"],
  duration: {
    create: (subscription) => subscription.timings.vmCreateMs,
    delete: (subscription) => subscription.timings.vmDeleteMs,
  },
  prepare({ name, body, existing }, subscription) {
    const properties = members(body.properties);
    const login = nonEmptyStringAt(properties, "administratorLogin");
    const before = nonEmptyStringAt(existing?.body, "properties", "administratorLogin");
    if (!existing && (!login || !nonEmptyStringAt(properties, "administratorLoginPassword"))) {
      throw badRequest(
        "InvalidParameterValue",
        `The server ${name} needs 'administratorLogin' and 'administratorLoginPassword'.`,
      );
    }
    if (before !== undefined && login !== undefined && login !== before) {
      throw new ArmError(
        409,
        "PropertyChangeNotAllowed",
        `The administrator login of the server ${name} cannot be changed.`,
      );
    }
    const subnetId = nonEmptyStringAt(properties, "network", "delegatedSubnetResourceId");
    if (subnetId !== undefined) {
      const subnet = subscription.resources.resolve(subnetId)?.element;
      const services = objectsAt(subnet, "properties", "delegations").map((each) =>
        nonEmptyStringAt(each, "properties", "serviceName")?.toLowerCase(),
      );
      if (!services.includes(`${namespace}/flexibleServers`.toLowerCase())) {
        throw badRequest(
          "InvalidSubnetDelegation",
          `The subnet ${subnetId} is not there or not delegated to ${namespace}/flexibleServers.`,
        );
      }
      if (!nonEmptyStringAt(properties, "network", "privateDnsZoneArmResourceId")) {
        throw badRequest(
          "EmptyPrivateDnsZoneArmResourceId",
          `The server ${name} in a subnet needs 'network.privateDnsZoneArmResourceId'.`,
        );
      }
    }
    return {
      body: withProperties(
        { ...body, properties: without(properties, ["administratorLoginPassword"]) },
        {
          administratorLogin: before ?? login ?? "",
          state: "Ready",
          version: at(properties, "version") ?? "17",
          fullyQualifiedDomainName: `${name}.postgres.database.azure.com`,
        },
      ),
      hidden: {
        password:
          nonEmptyStringAt(properties, "administratorLoginPassword") ??
          nonEmptyStringAt(existing?.hidden, "password") ??
          "",
      },
    };
  },
};

export const flexibleServerDatabases: ResourceType = {
  namespace,
  type: "flexibleServers/databases",
  location: "none",
  names: /^[A-Za-z_][\w-]{0,62}$/,
  provisioningState: false,
  prepare: ({ body }) => ({
    body: withProperties(body, {
      charset: at(body, "properties", "charset") ?? "UTF8",
      collation: at(body, "properties", "collation") ?? "en_US.utf8",
    }),
  }),
};
