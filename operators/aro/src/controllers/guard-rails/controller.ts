import { singleton } from "@keelson/aro-api";
import { type Condition, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import type { ManagedObjects } from "@keelson/operator-kit";
import { type AroResult, done } from "../../runtime/aro-controller.ts";
import {
  clusterVersionChanged,
  clusterVersionPermission,
  getClusterVersion,
  installedVersion,
} from "../../runtime/cluster-version.ts";
import { managing, may } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import {
  type AdmissionPolicy,
  bindingName,
  policyObjects,
  type ValidationAction,
} from "./admission-policy.ts";
import { actionOf, engineOf, hasPolicies, isManaged } from "./enforcement.ts";
import { flags } from "./flags.ts";
import { gatekeeperChanged, hasGatekeeper, removeGatekeeper } from "./gatekeeper.ts";
import { gatekeeperRules } from "./gatekeeper-rules.ts";
import { formerMajorUpgradePolicy, majorUpgradePolicy } from "./major-upgrade-policy.ts";
import { optionalPolicies } from "./optional-policies.ts";

const { validatingAdmissionPolicies, validatingAdmissionPolicyBindings } = resources;
const names = [
  majorUpgradePolicy.name,
  formerMajorUpgradePolicy,
  ...optionalPolicies.map(({ name }) => name),
];
const bindingNames = names.map(bindingName);

/** Enforces the admission policies that flags enable. The policies reject changes that would break a supported cluster. */
export const guardrails: RegisteredController = {
  name: "GuardRails",
  flag: "aro.guardrails.enabled",
  flags,
  conditionTypes: ["GuardRailsStatus"],
  documentation: {
    purpose:
      "In OpenShift 4.17 and later: ValidatingAdmissionPolicies and their bindings. One policy forbids upgrades from 4 to 5 regardless of flags, and four policies have separate flags. Removes the original's Gatekeeper if guardrails are unmanaged, or if `aro.guardrails.method` is `auto` or `vap`. Never deploys Gatekeeper.",
    improvement:
      "Also repairs optional policies immediately. Reverts changes that weaken a policy, for example a validation action `Audit`. Preserves objects that a customer's Gatekeeper also uses.",
  },
  watches: [
    clusterVersionChanged,
    gatekeeperChanged,
    watchFor(validatingAdmissionPolicies, singleton, {
      where: ({ object }) => names.includes(object.metadata.name),
    }),
    watchFor(validatingAdmissionPolicyBindings, singleton, {
      where: ({ object }) => bindingNames.includes(object.metadata.name),
    }),
  ],
  permissions: [
    clusterVersionPermission,
    may(managing, "admissionregistration.k8s.io", [
      "validatingadmissionpolicies",
      "validatingadmissionpolicybindings",
    ]),
    ...gatekeeperRules,
  ],
  async reconcile(request) {
    const { flags, objects } = request;
    await keepMandatory(objects);
    const managed = isManaged(flags);
    const engine = engineOf(flags, await versionOf(objects));
    if (managed === false || (managed && engine === "policies")) await removeGatekeeper(objects);
    if (managed !== undefined && engine !== "none") {
      const inForce = managed && engine === "policies";
      for (const policy of optionalPolicies)
        await keep(objects, policy, inForce ? actionOf(flags, policy) : undefined);
    }
    return report(request, await conditionOf(request, managed, engine));
  },
  async disabled(request) {
    await keepMandatory(request.objects);
    return report(request, unknown("Disabled", "aro.guardrails.enabled is not true"));
  },
};

async function versionOf(objects: ManagedObjects) {
  return installedVersion(await getClusterVersion(objects));
}

async function keepMandatory(objects: ManagedObjects): Promise<void> {
  if (!hasPolicies(await versionOf(objects))) return;
  await remove(objects, formerMajorUpgradePolicy);
  await keep(objects, majorUpgradePolicy, "Deny");
}

async function keep(
  objects: ManagedObjects,
  policy: AdmissionPolicy,
  action: ValidationAction | undefined,
): Promise<void> {
  if (action === undefined) return remove(objects, policy.name);
  for (const { resource, object } of policyObjects(policy, action)) await objects.ensure(resource, object);
}

/** Deletes the binding first, because a policy without a binding is not enforced. */
async function remove(objects: ManagedObjects, name: string): Promise<void> {
  await objects.remove(validatingAdmissionPolicyBindings, { name: bindingName(name) });
  await objects.remove(validatingAdmissionPolicies, { name });
}

async function conditionOf(
  { flags, objects }: Request,
  managed: boolean | undefined,
  engine: ReturnType<typeof engineOf>,
): Promise<Condition> {
  if (engine === "none")
    return unknown("NotSupported", "OpenShift before 4.17 has no ValidatingAdmissionPolicies");
  if (managed === undefined)
    return unknown("NotManaged", "aro.guardrails.deploy.managed is neither true nor false");
  if (!managed) return unknown("NotManaged", "aro.guardrails.deploy.managed is false");
  if (engine === "policies") {
    const inForce = optionalPolicies.flatMap((policy) => {
      const action = actionOf(flags, policy);
      return action === undefined ? [] : [`${policy.name}: ${action}`];
    });
    return status("True", "PoliciesInForce", inForce.join(", "));
  }
  const way = "with aro.guardrails.method auto, ValidatingAdmissionPolicies are";
  return (await hasGatekeeper(objects))
    ? unknown("Gatekeeper", `Gatekeeper is not changed; ${way} in its place`)
    : status("False", "GatekeeperMissing", `this operator deploys no Gatekeeper; ${way} in force`);
}

async function report(request: Request, condition: Condition): Promise<AroResult> {
  await request.status.set([condition]);
  return done;
}

function unknown(reason: string, message: string): Condition {
  return status("Unknown", reason, message);
}

function status(value: Condition["status"], reason: string, message: string): Condition {
  return { type: "GuardRailsStatus", status: value, reason, message };
}
