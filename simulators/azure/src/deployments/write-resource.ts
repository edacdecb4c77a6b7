import { randomUUID } from "node:crypto";
import { authorize } from "../authorization/enforcement/enforcement.ts";
import { requestOf } from "./arm-calls.ts";
import { naming } from "./errors/template-error.ts";
import { contextIn } from "./lookups.ts";
import { atOnce } from "./parts.ts";
import { evaluateBody, nestedRequest, prepare } from "./prepare.ts";
import { requireRoom, trimHistory } from "./quota.ts";
import { begun, type Conduct, type Run, type RunDeps } from "./run.ts";
import type { RuntimeLookups } from "./runtime-lookups.ts";
import { isDeployment, type PlannedResource } from "./template/planned-resource.ts";

/**
 * Writes one resource of a deployment and waits for its completion. `conduct` runs a nested deployment. Returns the IDs of the
 * written resources.
 * @throws ArmError
 */
export async function writeResource(
  deps: RunDeps,
  run: Run,
  resource: PlannedResource,
  lookups: RuntimeLookups,
  conduct: Conduct,
): Promise<readonly string[]> {
  const { id, apiVersion, name } = resource;
  if (isDeployment(resource)) return runNested(deps, run, resource, lookups, conduct);
  const body = await lookups.evaluate((fetch) =>
    naming("resource", name, () => evaluateBody(resource, contextIn(run.prepared, resource, fetch))),
  );
  await deps.calls.complete(run.deployer, { method: "PUT", id, apiVersion, body }, run.signal);
  return [id];
}

/** Runs a nested deployment. A nested deployment has a separate entry in the history of its scope. */
async function runNested(
  deps: RunDeps,
  run: Run,
  resource: PlannedResource,
  lookups: RuntimeLookups,
  conduct: Conduct,
): Promise<readonly string[]> {
  const { subscription, history } = deps;
  const { deployer } = run;
  const { id, apiVersion } = resource;
  authorize(subscription, requestOf(deployer, { method: "PUT", id, apiVersion }));
  const prepared = await lookups.evaluate((fetch) => {
    const context = contextIn(run.prepared, resource, fetch);
    const body = naming("resource", resource.name, () => evaluateBody(resource, context));
    return atOnce(prepare(subscription, nestedRequest(resource, body, context, deployer.baseUrl)));
  });
  const interrupted = history.find(prepared.id);
  const isResumed = interrupted?.state === "Running" && interrupted.correlationId === deployer.correlationId;
  const runId = isResumed ? interrupted.runId : randomUUID();
  if (!isResumed) {
    const entry = begun(subscription, prepared, deployer.correlationId, runId);
    subscription.store.transaction(() => {
      trimHistory(subscription, prepared.place, deployer);
      requireRoom(subscription, prepared.place, prepared.id, prepared.name);
      history.begin(entry, prepared.template.source);
    });
  }
  return (await conduct(deps, { ...run, runId, prepared }, lookups)).written;
}
