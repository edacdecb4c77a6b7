import { allSucceeded } from "@keelson/base";
import { checkVersion } from "../config/version.ts";
import { portalHost } from "../host/portal-settings.ts";
import { hasPortal } from "../host/service-settings.ts";
import { names, scaleSetName } from "../template/names.ts";
import { gatewayProductionTemplate } from "../templates/gateway.ts";
import { rpProductionTemplate } from "../templates/rp-production.ts";
import type { DeployContext } from "./context.ts";
import { writeDnsRecords } from "./dns-records.ts";
import { gatewayMachines, rpMachines } from "./machines.ts";
import { gatewayParameters, rpParameters } from "./parameters.ts";
import { predeploy } from "./predeploy.ts";
import type { Principals } from "./principals.ts";
import { rollOut } from "./roll-out.ts";
import { saveVersion } from "./save-version.ts";
import { type DeployedSecrets, ensureSecrets } from "./secrets.ts";

export interface Deployed {
  readonly location: string;
  readonly version: string;
  readonly scaleSets: readonly string[];
  /** URL of the region's API. */
  readonly url: string;
  /** URL of the portal. Undefined if the region has no portal. */
  readonly portal?: string;
}

/**
 * Deploys a version of the service to a region. Each step reuses the results of earlier, possibly incomplete, deployments. After
 * a failure or a crash, repeating the call resumes the deployment.
 * @throws UndeployableVersion, MissingSecrets, DeploymentFailed, UnhealthyScaleSet; errors of the SDKs
 */
export async function deploy(context: DeployContext): Promise<Deployed> {
  try {
    return await deployAll(context);
  } catch (error) {
    // The SDKs throw their own error instead of the abort reason.
    context.signal.throwIfAborted();
    throw error;
  }
}

async function deployAll(context: DeployContext): Promise<Deployed> {
  const { region, version } = context;
  const { location, configuration, gatewayResourceGroupName } = region;
  checkVersion(version);
  const principals = await predeploy(context);
  context.report({ phase: "predeploy", kind: "fact", text: "groups, identities and networks are there" });
  const secrets = await ensureSecrets(context);
  await allSucceeded([deployRp(context, principals, secrets), deployGateway(context, principals)]);
  await saveVersion(context);
  context.report({ phase: "version", kind: "fact", text: `${location} has ${version}` });
  return {
    location,
    version,
    scaleSets: [
      String(scaleSetName("rp", version)),
      ...(gatewayResourceGroupName === undefined ? [] : [String(scaleSetName("gateway", version))]),
    ],
    url: `https://rp.${location}.${configuration.rpParentDomainName}`,
    ...(hasPortal(region) ? { portal: `https://${portalHost(region)}` } : {}),
  };
}

async function deployRp(
  context: DeployContext,
  principals: Principals,
  secrets: DeployedSecrets,
): Promise<void> {
  const { region } = context;
  const machines = await rpMachines(context, principals.rp, secrets);
  await rollOut(context, {
    role: "rp",
    group: region.rpResourceGroupName,
    template: rpProductionTemplate,
    parameters: rpParameters(region, principals, machines, secrets.databasePassword?.reveal()),
    afterDeployment: () => writeDnsRecords(context),
    alsoBehind: hasPortal(region)
      ? [{ loadBalancer: names.rp.loadBalancer, rule: names.rp.portalRule, part: "portal" }]
      : undefined,
  });
}

async function deployGateway(context: DeployContext, { gateway }: Principals): Promise<void> {
  const { region } = context;
  const group = region.gatewayResourceGroupName;
  if (group === undefined || gateway === undefined) return;
  const machines = await gatewayMachines(context, gateway, group);
  const parameters = gatewayParameters(region, machines);
  await rollOut(context, { role: "gateway", group, template: gatewayProductionTemplate, parameters });
}
