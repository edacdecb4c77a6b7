import { azureErrorCode, azureErrorMessage } from "@keelson/azure";
import { checkVersion } from "../config/version.ts";
import { scaleSetName } from "../template/names.ts";
import type { Parameters, ParameterValues, Template } from "../template/template.ts";
import { gatewayPredeployTemplate, gatewayProductionTemplate } from "../templates/gateway.ts";
import { globalTemplate, replicationTemplate } from "../templates/global.ts";
import { gatewayIdentityTemplate, rpIdentityTemplate } from "../templates/managed-identities.ts";
import { rpPredeployTemplate } from "../templates/rp-predeploy.ts";
import { rpProductionTemplate } from "../templates/rp-production.ts";
import { subscriptionTemplate } from "../templates/subscription.ts";
import { type DeployContext, inRegion } from "./context.ts";
import { groupExists } from "./groups.ts";
import { gatewayMachines, rpMachines } from "./machines.ts";
import {
  gatewayParameters,
  globalParameters,
  predeployParameters,
  replicationParameters,
  rpParameters,
  subscriptionParameters,
} from "./parameters.ts";
import { lacksSecurityGroups, needsReplica } from "./predeploy.ts";
import { deployerOf, findIdentity, type Principals } from "./principals.ts";
import { listScaleSets } from "./scale-sets.ts";
import { bodyOf } from "./template-deployment.ts";

/** Changes that a template deployment would make, or the reason why they are unknown. */
interface WhatIfResult {
  readonly template: string;
  readonly group: string;
  readonly changes: readonly { readonly change: string; readonly resourceId: string }[];
  readonly notYet?: string;
}

export interface Forecast {
  readonly templates: readonly WhatIfResult[];
  /** Scale sets of other versions. `deploy` would delete them after the new scale sets are healthy. */
  readonly retired: readonly string[];
}

/**
 * Placeholders for values that do not exist before a deployment. No resource contains them, so they do not change the forecast.
 */
const unmade = {
  vaultUrl: "",
  skipTokenVersion: "unmade",
  portal: { sessionKeyVersions: ["unmade"], sshKeyVersion: "unmade", sshHostKey: "unmade" },
};

/**
 * Requests a forecast (what-if) of the changes by `deploy` from ARM, without applying them.
 * @throws UndeployableVersion; errors of the SDKs
 */
export async function whatIf(context: DeployContext): Promise<Forecast> {
  checkVersion(context.version);
  const { region, signal } = context;
  const { configuration, rpResourceGroupName: group, gatewayResourceGroupName: gatewayGroup } = region;
  const { azure } = inRegion(context);
  const principals = await principalsIn(context);
  const templates: WhatIfResult[] = [];
  const add = async <const Declared extends Parameters>(
    template: Template<Declared>,
    of: string,
    parameters: () => ParameterValues<Declared> | Promise<ParameterValues<Declared>>,
  ) => {
    templates.push(await whatIfTemplate(context, template, of, parameters));
  };
  /**
   * Forecasts a template with role assignments. If the region's identities do not exist yet, reports that the forecast is
   * impossible, because ARM cannot evaluate assignments to missing identities.
   */
  const addWithRoles = async <const Declared extends Parameters>(
    template: Template<Declared>,
    of: string,
    parameters: (known: Principals) => ParameterValues<Declared> | Promise<ParameterValues<Declared>>,
  ) => {
    if (principals) return add(template, of, () => parameters(principals));
    templates.push({
      template: template.file,
      group: of,
      changes: [],
      notYet: "its identities are not there yet",
    });
  };

  await add(subscriptionTemplate, configuration.subscriptionResourceGroupName, () =>
    subscriptionParameters(region),
  );
  await add(rpIdentityTemplate, group, () => ({}));
  if (gatewayGroup !== undefined) await add(gatewayIdentityTemplate, gatewayGroup, () => ({}));
  const { globalResourceGroupName: globalGroup } = configuration;
  await addWithRoles(globalTemplate, globalGroup, (known) => globalParameters(region, known));
  if (needsReplica(context)) await add(replicationTemplate, globalGroup, () => replicationParameters(region));
  if (gatewayGroup !== undefined) {
    await add(gatewayPredeployTemplate, gatewayGroup, async () => ({
      deployNSGs: await lacksSecurityGroups(context, gatewayGroup, gatewayPredeployTemplate.file),
    }));
  }
  await addWithRoles(rpPredeployTemplate, group, async (known) =>
    predeployParameters(region, known, await lacksSecurityGroups(context, group, rpPredeployTemplate.file)),
  );
  await addWithRoles(rpProductionTemplate, group, async (known) => {
    const isPostgres = configuration.databaseKind === "postgres";
    const machines = await rpMachines(context, known.rp, unmade);
    return rpParameters(region, known, machines, isPostgres ? "unmade" : undefined);
  });
  if (gatewayGroup !== undefined) {
    await addWithRoles(gatewayProductionTemplate, gatewayGroup, async ({ gateway, rp }) =>
      gatewayParameters(region, await gatewayMachines(context, gateway ?? rp, gatewayGroup)),
    );
  }
  const retired: string[] = [];
  for (const [role, of] of [
    ["rp", group],
    ["gateway", gatewayGroup],
  ] as const) {
    if (of === undefined || !(await groupExists(azure, of, signal))) continue;
    const sets = await listScaleSets({ azure, group: of, signal }, role);
    retired.push(
      ...sets.map(({ name }) => name).filter((name) => name !== scaleSetName(role, context.version)),
    );
  }
  return { templates, retired };
}

async function principalsIn(context: DeployContext): Promise<Principals | undefined> {
  const { region, signal } = context;
  const { azure, group } = inRegion(context);
  const { location, gatewayResourceGroupName: gatewayGroup } = region;
  const rp = await findIdentity(azure, group, "rp", location, signal);
  if (!rp) return undefined;
  const deployer = await deployerOf(context);
  if (gatewayGroup === undefined) return { rp, deployer };
  const gateway = await findIdentity(azure, gatewayGroup, "gateway", location, signal);
  return gateway && { rp, gateway, deployer };
}

async function whatIfTemplate<const Declared extends Parameters>(
  context: DeployContext,
  template: Template<Declared>,
  group: string,
  parameters: () => ParameterValues<Declared> | Promise<ParameterValues<Declared>>,
): Promise<WhatIfResult> {
  const { region, connect, signal } = context;
  const { globalResourceGroupName, globalSubscriptionId } = region.configuration;
  const azure = connect(group === globalResourceGroupName ? globalSubscriptionId : region.subscriptionId);
  const subject = { template: template.file, group, changes: [] };
  context.report({ phase: "predeploy", kind: "state", text: `asking what ${template.file} would change` });
  if (!(await groupExists(azure, group, signal))) return { ...subject, notYet: "its group is not there yet" };
  const { deployments } = azure;
  const call = azure.call(signal);
  const properties = {
    mode: "Incremental" as const,
    ...bodyOf({ template, parameters: await parameters() }),
  };
  try {
    const { changes = [], error } = await deployments
      .whatIf(group, template.file, { properties }, call)
      .pollUntilDone(call);
    if (error) return { ...subject, notYet: `${error.code}: ${error.message}` };
    return {
      ...subject,
      changes: changes
        .filter(({ changeType }) => !["Ignore", "NoChange"].includes(changeType))
        .map(({ changeType, resourceId = "" }) => ({ change: changeType, resourceId })),
    };
  } catch (error) {
    signal.throwIfAborted();
    // Resources of an earlier template may not exist yet. In that case, ARM cannot forecast this template.
    return { ...subject, notYet: `${azureErrorCode(error) ?? "error"}: ${azureErrorMessage(error)}` };
  }
}
