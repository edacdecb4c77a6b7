import { errors } from "../config/errors.ts";
import { gatewayPredeployTemplate } from "../templates/gateway.ts";
import { globalTemplate, replicationTemplate } from "../templates/global.ts";
import { gatewayIdentityTemplate, rpIdentityTemplate } from "../templates/managed-identities.ts";
import { rpPredeployTemplate } from "../templates/rp-predeploy.ts";
import { subscriptionTemplate } from "../templates/subscription.ts";
import { type DeployContext, inRegion } from "./context.ts";
import { ensureGroup } from "./groups.ts";
import {
  globalParameters,
  predeployParameters,
  replicationParameters,
  subscriptionParameters,
} from "./parameters.ts";
import { deployerOf, findIdentity, type Identity, type Principals } from "./principals.ts";
import { deployTemplate, hasSucceeded } from "./template-deployment.ts";

/** Deploys prerequisites of the machines: groups, identities, networks, the vault and resources shared by all regions. */
export async function predeploy(context: DeployContext): Promise<Principals> {
  const { region, connect, signal } = context;
  const { configuration, location, gatewayResourceGroupName: gatewayGroup } = region;
  const { azure, group } = inRegion(context);
  const shared = connect(configuration.globalSubscriptionId);
  const deps = { ...context, report: stateOf(context) };

  const {
    subscriptionResourceGroupName: subscriptionGroup,
    subscriptionResourceGroupLocation,
    globalResourceGroupName: globalGroup,
    globalResourceGroupLocation,
  } = configuration;
  stateOf(context)("resource groups");
  await ensureGroup(azure, subscriptionGroup, subscriptionResourceGroupLocation, signal);
  await ensureGroup(shared, globalGroup, globalResourceGroupLocation, signal);
  await ensureGroup(azure, group, location, signal);
  if (gatewayGroup !== undefined) await ensureGroup(azure, gatewayGroup, location, signal);

  const template = subscriptionTemplate;
  await deployTemplate(
    { azure, group: subscriptionGroup, template, parameters: subscriptionParameters(region) },
    deps,
  );
  await deployTemplate({ azure, group, template: rpIdentityTemplate, parameters: {} }, deps);
  if (gatewayGroup !== undefined) {
    const place = { azure, group: gatewayGroup };
    await deployTemplate({ ...place, template: gatewayIdentityTemplate, parameters: {} }, deps);
  }
  const principals: Principals = {
    rp: await requireIdentity(context, group, "rp"),
    ...(gatewayGroup === undefined
      ? {}
      : { gateway: await requireIdentity(context, gatewayGroup, "gateway") }),
    deployer: await deployerOf(context),
  };

  // After a deletion, global names stay reserved for some time. After a creation, identities need time to propagate. In both
  // cases, a second attempt usually succeeds.
  const globally = { azure: shared, group: globalGroup };
  const parameters = globalParameters(region, principals);
  await deployTemplate({ ...globally, template: globalTemplate, parameters, attempts: 2 }, deps);
  if (needsReplica(context)) {
    const name = `${replicationTemplate.file}-${location}`;
    const parameters = replicationParameters(region);
    await deployTemplate({ ...globally, template: replicationTemplate, name, parameters }, deps);
  }
  if (gatewayGroup !== undefined) {
    const place = { azure, group: gatewayGroup, template: gatewayPredeployTemplate };
    const deployNSGs = await lacksSecurityGroups(context, gatewayGroup, gatewayPredeployTemplate.file);
    await deployTemplate({ ...place, parameters: { deployNSGs } }, deps);
  }
  const deployNSGs = await lacksSecurityGroups(context, group, rpPredeployTemplate.file);
  await deployTemplate(
    {
      azure,
      group,
      template: rpPredeployTemplate,
      parameters: predeployParameters(region, principals, deployNSGs),
      attempts: 2,
    },
    deps,
  );
  return principals;
}

/** True if the region needs a registry replica. The region in which the registry itself is located needs no replica. */
export function needsReplica({ region }: Pick<DeployContext, "region">): boolean {
  const { acrReplicaDisabled, acrLocationOverride, globalResourceGroupLocation } = region.configuration;
  return (
    acrReplicaDisabled !== true && region.location !== (acrLocationOverride ?? globalResourceGroupLocation)
  );
}

/** Returns `"true"` if no predeployment of the group has succeeded yet. */
export async function lacksSecurityGroups(
  context: DeployContext,
  group: string,
  name: string,
): Promise<"true" | "false"> {
  const { azure } = inRegion(context);
  return (await hasSucceeded(azure, group, name, context.signal)) ? "false" : "true";
}

async function requireIdentity(
  context: DeployContext,
  group: string,
  role: "rp" | "gateway",
): Promise<Identity> {
  const { azure } = inRegion(context);
  const found = await findIdentity(azure, group, role, context.region.location, context.signal);
  if (found) return found;
  throw errors.DeploymentFailed(
    `The managed identity of the ${role} is gone from the group ${group} since it was deployed: run keelson deploy again.`,
  );
}

function stateOf({ report }: DeployContext): (text: string) => void {
  return (text) => report({ phase: "predeploy", kind: "state", text });
}
