import { describeSchemaFaults, isPlainObject } from "@keelson/base";
import { Errors } from "typebox/value";
import {
  type Configuration,
  type DeployConfig,
  defaults,
  deployConfigSchema,
  type Region,
  requiredFields,
} from "./configuration.ts";
import { errors } from "./errors.ts";

/**
 * Returns the region at `location`. A field that the region lacks is taken from the configuration of all regions.
 * @throws InvalidDeployConfiguration with the invalid fields or all missing fields
 */
export function resolveRegion(config: unknown, location: string, source: string): Region {
  checkShape(config, source);
  const region = config.rps.find((each) => each.location === location);
  if (!region) {
    const known = config.rps.map((each) => each.location).join(", ");
    throw errors.InvalidDeployConfiguration(
      `${source}: location ${location} not found in config: it has ${known}`,
    );
  }
  const merged = {
    ...defaults,
    ...withoutEmpty(config.configuration),
    ...withoutEmpty(region.configuration),
  };
  const missing = Object.keys(requiredFields).filter((name) => !(name in merged));
  if (missing.length > 0) {
    throw errors.InvalidDeployConfiguration(
      `${source}: configuration has missing fields: ${missing.join(",")}`,
    );
  }
  const configuration = merged as Configuration;
  const lacking = lackingBesides(region, configuration);
  if (lacking)
    throw errors.InvalidDeployConfiguration(`${source}: configuration has missing fields: ${lacking}`);
  return { ...region, configuration };
}

/** Returns the first field that is missing although a configured field requires it. The result includes the reason. */
function lackingBesides(
  { location, gatewayResourceGroupName }: Omit<Region, "configuration">,
  configuration: Configuration,
): string | undefined {
  const { gatewayImage, databaseKind, portalClientId, portalAccessGroupIds } = configuration;
  if (gatewayResourceGroupName !== undefined && gatewayImage === undefined && databaseKind !== "cosmos")
    return `gatewayImage (${location} has a gatewayResourceGroupName, and the gateway's machines can read documents in Cosmos DB only)`;
  const ofPortal = portalFields.filter((name) => configuration[name] !== undefined);
  if (portalClientId === undefined && ofPortal.length > 0)
    return `portalClientId (${ofPortal.join(", ")} of a portal, which runs where it has an application)`;
  if (portalClientId !== undefined && !portalAccessGroupIds?.length)
    return "portalAccessGroupIds (required with portalClientId, else the portal has no users)";
  return undefined;
}

const portalFields = [
  "portalAccessGroupIds",
  "portalElevatedGroupIds",
  "portalOperatorGroupIds",
  "rpNsgPortalSourceAddressPrefixes",
] as const;

/** Returns the fields that have a value. Null and empty strings do not count as values. */
function withoutEmpty(configuration: object | undefined): Partial<Configuration> {
  return Object.fromEntries(
    Object.entries(configuration ?? {}).filter(
      ([, value]) => value !== null && value !== "" && value !== undefined,
    ),
  );
}

function checkShape(config: unknown, source: string): asserts config is DeployConfig {
  const problems = describeSchemaFaults(deployConfigSchema, withoutEmptyFields(config), Errors);
  if (problems.length === 0) return;
  throw errors.InvalidDeployConfiguration(`${source}: ${problems.join("; ")}`);
}

function withoutEmptyFields(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const clean = (each: unknown) =>
    isPlainObject(each) && isPlainObject(each.configuration)
      ? { ...each, configuration: withoutEmpty(each.configuration) }
      : each;
  const rps = Array.isArray(value.rps) ? value.rps.map(clean) : value.rps;
  return clean({ ...value, ...(rps === undefined ? {} : { rps }) });
}
