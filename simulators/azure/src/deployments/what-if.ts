import { type JsonObject, type JsonValue, mergePatch } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { handle } from "../arm/router.ts";
import type { Subscription } from "../arm/subscription.ts";
import { isJsonObject, members, withProperties } from "../base/json.ts";
import { type ArmCalls, type Deployer, type ResourceCall, requestOf } from "./arm-calls.ts";
import { resourcesInGroup } from "./complete-mode.ts";
import { naming } from "./errors/template-error.ts";
import { contextIn, type Fetch } from "./lookups.ts";
import { atOnce } from "./parts.ts";
import { evaluateBody, namespaceOf, nestedRequest, prepare, textIfKnown } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";
import { propertyChanges } from "./property-changes.ts";
import { SecureValues } from "./secure-values.ts";
import { isDeployment, type PlannedResource } from "./template/planned-resource.ts";
import { NotYetKnown } from "./template/template-context.ts";

export type ResultFormat = "FullResourcePayloads" | "ResourceIdOnly";

/** Error that rolls back the transaction of a trial run. The error contains the result of the trial run. */
class TrialOver extends Error {
  readonly changes: readonly JsonObject[];
  constructor(changes: readonly JsonObject[]) {
    super("the trial run is over");
    this.name = "TrialOver";
    this.changes = changes;
  }
}

/**
 * Returns the changes that a deployment would make. Resources are written in dependency order in a transaction that is rolled
 * back. A resource of an external provider is not written. Its predicted state is its current state merged with the request body.
 * Values of secure parameters are masked.
 * @throws ArmError
 */
export async function whatIf(
  subscription: Subscription,
  calls: ArmCalls,
  prepared: Prepared,
  deployer: Deployer,
  format: ResultFormat,
): Promise<readonly JsonObject[]> {
  const inGroup = await resourcesInGroup(calls, deployer, prepared);
  const foreign = await foreignStates(calls, deployer, prepared);
  const secrets = new SecureValues();
  const trial: Trial = { subscription, deployer, foreign, secrets, changes: new Map() };
  const changes = runTrial(subscription, () => {
    tryDeployment(trial, prepared);
    return [...trial.changes.values()].map((each) => secrets.masked(each));
  });
  const planned = [...trial.changes.keys()];
  const others = inGroup.filter(
    (id) => !planned.some((each) => each === id.toLowerCase() || each.startsWith(`${id.toLowerCase()}/`)),
  );
  const rest: JsonObject[] = [];
  for (const resourceId of others) {
    const { body } = await calls.send(deployer, { method: "GET", id: resourceId, apiVersion: "2025-07-25" });
    const changeType = prepared.mode === "Complete" ? "Delete" : "Ignore";
    rest.push({ resourceId, changeType, ...(body === undefined ? {} : { before: body }) });
  }
  return [...changes, ...rest].map((each) =>
    format === "FullResourcePayloads"
      ? each
      : {
          resourceId: each.resourceId ?? null,
          changeType:
            each.changeType === "Create" || each.changeType === "Delete" || each.changeType === "Ignore"
              ? each.changeType
              : "Deploy",
        },
  );
}

interface Trial {
  readonly subscription: Subscription;
  readonly deployer: Deployer;
  /** Resources of external providers, by lower-case ID. */
  readonly foreign: ReadonlyMap<string, JsonObject>;
  readonly secrets: SecureValues;
  readonly changes: Map<string, JsonObject>;
}

function runTrial(subscription: Subscription, run: () => readonly JsonObject[]): readonly JsonObject[] {
  try {
    return subscription.store.transaction(() => {
      throw new TrialOver(run());
    });
  } catch (error) {
    if (error instanceof TrialOver) return error.changes;
    throw error;
  }
}

function tryDeployment(trial: Trial, prepared: Prepared): void {
  trial.secrets.add(prepared);
  for (const resource of inOrder(prepared)) {
    if (resource.skipped || resource.existing) continue;
    const context = contextIn(prepared, resource, fetchIn(trial));
    const body = naming("resource", resource.name, () => evaluateBody(resource, context, textIfKnown));
    if (isDeployment(resource)) {
      tryDeployment(
        trial,
        atOnce(prepare(trial.subscription, nestedRequest(resource, body, context, trial.deployer.baseUrl))),
      );
      continue;
    }
    const change = isForeign(resource) ? overlay(trial, resource, body) : tryWrite(trial, resource, body);
    trial.changes.set(resource.id.toLowerCase(), change);
  }
}

/** Returns the resources in dependency order. */
function inOrder({ resources, dependencies }: Prepared): readonly PlannedResource[] {
  const ordered = new Set<PlannedResource>();
  const add = (resource: PlannedResource): void => {
    if (ordered.has(resource)) return;
    for (const each of dependencies.get(resource) ?? []) add(each);
    ordered.add(resource);
  };
  for (const each of resources) add(each);
  return [...ordered];
}

function tryWrite(trial: Trial, resource: PlannedResource, body: JsonObject): JsonObject {
  const { id, apiVersion } = resource;
  const before = read(trial, { method: "GET", id, apiVersion });
  handle(trial.subscription, requestOf(trial.deployer, { method: "PUT", id, apiVersion, body }));
  return changeOf(id, before, members(read(trial, { method: "GET", id, apiVersion })));
}

function overlay({ foreign }: Trial, { id, name, type }: PlannedResource, body: JsonObject): JsonObject {
  const before = foreign.get(id.toLowerCase());
  const after = members(mergePatch(before ?? { id, name, type }, body));
  return changeOf(id, before, after);
}

function changeOf(resourceId: string, before: JsonObject | undefined, after: JsonObject): JsonObject {
  if (!before) return { resourceId, changeType: "Create", after: settled(after) };
  const delta = propertyChanges(before, after);
  const changeType = delta.length === 0 ? "NoChange" : "Modify";
  return { resourceId, changeType, before, after, ...(delta.length > 0 ? { delta } : {}) };
}

/** Returns a new resource without the values that the service generates. */
function settled(after: JsonObject): JsonObject {
  const { etag: _, properties, ...rest } = after;
  if (!isJsonObject(properties)) return rest;
  const { provisioningState: __, resourceGuid: ___, ...kept } = properties;
  return withProperties(rest, kept);
}

function read({ subscription, deployer }: Trial, call: ResourceCall): JsonObject | undefined {
  try {
    return members(handle(subscription, requestOf(deployer, call)).body);
  } catch (error) {
    if (error instanceof ArmError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Returns a lookup function for the trial's subscription. If an external provider stores a resource of the template, the function
 * returns the current state of this resource. Otherwise, it throws `NotYetKnown` for requests to external providers and for
 * requests that only a real deployment can answer.
 */
function fetchIn(trial: Trial): Fetch {
  return (call): JsonValue => {
    const known = trial.foreign.get(call.id.toLowerCase());
    const found = known ?? (call.method === "GET" && isServedHere(call.id) ? read(trial, call) : undefined);
    if (found === undefined) throw new NotYetKnown("reference");
    return found;
  };
}

function isServedHere(id: string): boolean {
  return !/\/providers\/(Microsoft\.RedHatOpenShift|Microsoft\.Resources)\//i.test(id);
}

function isForeign(resource: PlannedResource): boolean {
  return namespaceOf(resource) === "microsoft.redhatopenshift";
}

async function foreignStates(
  calls: ArmCalls,
  deployer: Deployer,
  { resources }: Prepared,
): Promise<ReadonlyMap<string, JsonObject>> {
  const states = new Map<string, JsonObject>();
  for (const { id, apiVersion } of resources.filter(isForeign)) {
    try {
      const { body } = await calls.send(deployer, { method: "GET", id, apiVersion });
      states.set(id.toLowerCase(), members(body));
    } catch (error) {
      if (!(error instanceof ArmError) || error.status !== 404) throw error;
    }
  }
  return states;
}
