import { isCoded, messageOf } from "@keelson/base";
import { scaleSetName } from "../template/names.ts";
import type { Parameters, ParameterValues, Template } from "../template/template.ts";
import { type DeployContext, inRegion } from "./context.ts";
import { deleteScaleSet, listScaleSets, retireScaleSet, type ScaleSetDeps } from "./scale-sets.ts";
import { awaitHealthy, type WatchedRule } from "./set-health.ts";
import { deployTemplate } from "./template-deployment.ts";

const minute = 60_000;

/** Time limits for new scale sets to become healthy. */
const healthyWithinMs = { rp: 60 * minute, gateway: 40 * minute };

/** Time limit for draining the machines of an old scale set. */
const drainedWithinMs = 30 * minute;

export interface RollOut<Declared extends Parameters> {
  readonly role: "rp" | "gateway";
  readonly group: string;
  readonly template: Template<Declared>;
  readonly parameters: ParameterValues<Declared>;
  /** Load balancer rules that must report the new machines as ready. The health of each machine is checked in addition. */
  readonly alsoBehind?: readonly WatchedRule[] | undefined;
  /** Called after the template deployment, before the health of new machines is checked. */
  readonly afterDeployment?: () => Promise<void>;
}

/**
 * Deploys a role's template, which creates a scale set for the version. When all new machines are healthy, scale sets of earlier
 * versions are deleted one by one. If the version's scale set does not become healthy, it is deleted and the earlier scale sets
 * remain. As an exception, an unhealthy scale set that existed before this deployment is kept if the role has no other scale
 * set. Such a scale set may serve requests. Completed steps are not repeated.
 * @throws DeploymentFailed, UnhealthyScaleSet
 */
export async function rollOut<const Declared extends Parameters>(
  context: DeployContext,
  { role, group, template, parameters, alsoBehind = [], afterDeployment }: RollOut<Declared>,
): Promise<void> {
  const { version, clock, signal } = context;
  const { azure } = inRegion(context);
  const name = String(scaleSetName(role, version));
  const report = (text: string) => context.report({ phase: role, kind: "state", text });
  const deps: ScaleSetDeps = { azure, group, clock, signal, report };
  const deployment = { azure, group, template, parameters, name: `${template.file}-${version}` };
  const wasThere = (await listScaleSets(deps, role)).some((each) => each.name === name);
  const beforeRetry = () => deleteFailed(deps, role, name);
  await deployTemplate({ ...deployment, attempts: 3, beforeRetry }, { clock, signal, report });
  await afterDeployment?.();
  try {
    await awaitHealthy(deps, name, context.healthyWithinMs ?? healthyWithinMs[role], {
      rules: alsoBehind,
      writes: role === "rp",
    });
  } catch (error) {
    if (!isCoded(error, "UnhealthyScaleSet")) throw error;
    const others = (await listScaleSets(deps, role))
      .filter((each) => each.name !== name && each.provisioningState !== "Deleting")
      .map((each) => each.name);
    const isOnlyOne = wasThere && others.length === 0;
    if (!isOnlyOne) await deleteScaleSet(deps, name);
    context.report({
      phase: role,
      kind: "fact",
      text: `${isOnlyOne ? `${name} was there before and is kept, as there is no other` : `${name} was deleted, and of the others there is ${others.join(", ") || "none"}`}: ${messageOf(error)}`,
    });
    throw error;
  }
  context.report({ phase: role, kind: "fact", text: `${name} is healthy` });
  for (const old of await listScaleSets(deps, role)) {
    if (old.name === name) continue;
    await retireScaleSet(deps, old, drainedWithinMs);
    context.report({ phase: role, kind: "fact", text: `${old.name} is gone` });
  }
}

/**
 * Deletes a scale set with a failed creation, because a further deployment of this scale set would fail again. A scale set
 * without a failed creation is not changed.
 */
async function deleteFailed(deps: ScaleSetDeps, role: "rp" | "gateway", name: string): Promise<void> {
  const set = (await listScaleSets(deps, role)).find((each) => each.name === name);
  if (set?.provisioningState === "Failed") await deleteScaleSet(deps, name);
}
