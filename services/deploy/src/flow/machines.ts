import type { Region } from "../config/configuration.ts";
import { cloudInit } from "../host/cloud-init.ts";
import { gatewayConfigFile, gatewayFiles } from "../host/gateway-settings.ts";
import { gatewayPart, rpParts } from "../host/parts.ts";
import { hasPortal, serviceImage, serviceSettings } from "../host/service-settings.ts";
import { scaleSetName, secretVersionsTag } from "../template/names.ts";
import { type DeployContext, inRegion } from "./context.ts";
import { versionsTag, withKeptVersions } from "./kept-versions.ts";
import type { MachineValues, RpMachineValues } from "./parameters.ts";
import type { Identity } from "./principals.ts";
import { type FoundScaleSet, listScaleSets } from "./scale-sets.ts";
import type { DeployedSecrets } from "./secrets.ts";
import { unusedSshKey } from "./ssh-key.ts";

/** Returns the template parameters for the resource provider's machines of this version. */
export async function rpMachines(
  context: DeployContext,
  identity: Identity,
  secrets: Pick<DeployedSecrets, "vaultUrl" | "skipTokenVersion" | "portal">,
): Promise<RpMachineValues> {
  const { region, cloud, version } = context;
  const { configuration, rpResourceGroupName } = region;
  const image = serviceImage(region, version);
  const present = await presentSet(context, "rp", rpResourceGroupName);
  const kept = withKeptVersions(secrets, present?.tags[secretVersionsTag]);
  const settings = serviceSettings({
    region,
    cloud,
    version,
    identityClientId: identity.clientId,
    ...kept,
  });
  return {
    version,
    image,
    secretVersions: versionsTag(kept),
    sshPublicKey: await sshKeyOf(region, present),
    customData: base64(
      cloudInit({
        ...signInOf(context, identity),
        image,
        settings,
        parts: rpParts(configuration.rpLogLevel, hasPortal(region)),
      }),
    ),
  };
}

/** Returns the template parameters for the gateway's machines, with Keelson's image or the configured image. */
export async function gatewayMachines(
  context: DeployContext,
  identity: Identity,
  group: string,
): Promise<MachineValues> {
  const { region, cloud, version } = context;
  const { gatewayImage, rpLogLevel } = region.configuration;
  const image = gatewayImage ?? serviceImage(region, version);
  const parts =
    gatewayImage === undefined
      ? [gatewayPart(gatewayConfigFile, rpLogLevel)]
      : [{ name: "gateway" as const, description: "gateway", args: [] }];
  const files =
    gatewayImage === undefined ? gatewayFiles({ region, cloud, identityClientId: identity.clientId }) : {};
  return {
    version,
    image,
    sshPublicKey: await sshKeyOf(region, await presentSet(context, "gateway", group)),
    customData: base64(cloudInit({ ...signInOf(context, identity), image, parts, files })),
  };
}

function signInOf({ region, cloud }: DeployContext, { clientId }: Identity) {
  return {
    identityClientId: clientId,
    tenantId: region.configuration.fpTenantId,
    armAudience: cloud.environment.audience,
  };
}

/** Returns the version's scale set if an earlier deployment has created it. */
async function presentSet(
  context: DeployContext,
  role: "rp" | "gateway",
  group: string,
): Promise<FoundScaleSet | undefined> {
  const { version, signal } = context;
  const { azure } = inRegion(context);
  const name = scaleSetName(role, version);
  return (await listScaleSets({ azure, group, signal }, role)).find((each) => each.name === name);
}

/** Returns the SSH key for a scale set. An existing scale set keeps its key, because Azure cannot change the key. */
async function sshKeyOf({ configuration }: Region, present: FoundScaleSet | undefined): Promise<string> {
  return present?.sshPublicKey ?? configuration.sshPublicKey ?? (await unusedSshKey());
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
