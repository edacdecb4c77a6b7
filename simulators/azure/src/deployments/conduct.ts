import { STATUS_CODES } from "node:http";
import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { timestamp } from "../arm/subscription.ts";
import { draw } from "../arm/timings.ts";
import { deleteOthers } from "./complete-mode.ts";
import type { Deployment, DeploymentOperation } from "./deployment.ts";
import { uniqueString } from "./functions/hash.ts";
import type { DeploymentHistory } from "./history.ts";
import { evaluateOutputs } from "./outputs.ts";
import type { Prepared } from "./prepared.ts";
import type { Conduct, Outcome, Run, RunDeps } from "./run.ts";
import type { RuntimeLookups } from "./runtime-lookups.ts";
import { isDeployment, type PlannedResource } from "./template/planned-resource.ts";
import { writeResource } from "./write-resource.ts";

/**
 * Runs a deployment to completion and records the result in the history. If a client cancels the deployment in the meantime, the
 * history entry remains `Canceled`. If the process stops, the deployment remains in progress.
 * @throws ArmError 409 DeploymentFailed
 */
export const conduct: Conduct = async (deps, run, lookups) => {
  const { subscription, history } = deps;
  const { runId, prepared, signal } = run;
  const end = (changes: Partial<Deployment>) =>
    subscription.store.transaction(() =>
      history.change(runId, prepared.id, { timestamp: timestamp(subscription), ...changes }),
    );
  const dueMs =
    subscription.clock.monotonicMs() + (prepared.isNested ? 0 : draw(subscription.timings.deploymentMs));
  try {
    const outcome = await runDeployment(deps, run, lookups);
    if (prepared.mode === "Complete") await deleteOthers(deps, run, outcome.written);
    const leftMs = dueMs - subscription.clock.monotonicMs();
    if (leftMs > 0) await subscription.clock.sleep(leftMs, signal);
    end({ state: "Succeeded", outputs: outcome.outputs, outputResources: outcome.written });
    return outcome;
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ArmError) end({ state: "Failed", error: error.body().error ?? null });
    else end({ state: "Failed", error: { code: "InternalServerError", message: "The deployment failed." } });
    throw error;
  }
};

/**
 * Writes each resource of a deployment after the resources on which it depends. If a resource fails, the resources that depend on
 * it are skipped. Resources that a previous process wrote are not written again.
 * @throws ArmError 409 DeploymentFailed, with the failures as details
 */
async function runDeployment(deps: RunDeps, run: Run, lookups: RuntimeLookups): Promise<Outcome> {
  const { prepared } = run;
  const failures: JsonObject[] = [];
  const written: string[] = [];
  const outcomes = new Map<PlannedResource, Promise<boolean>>();
  const outcomeOf = (resource: PlannedResource): Promise<boolean> => {
    const known = outcomes.get(resource) ?? deploy(resource);
    outcomes.set(resource, known);
    return known;
  };
  const deploy = async (resource: PlannedResource): Promise<boolean> => {
    const needs = [...(prepared.dependencies.get(resource) ?? [])];
    if (!(await Promise.all(needs.map(outcomeOf))).every(Boolean)) return false;
    run.signal.throwIfAborted();
    if (resource.skipped || resource.existing) return true;
    if (isWritten(deps.history, prepared, resource)) {
      written.push(resource.id);
      return true;
    }
    const failure = await recorded(deps, run, resource, async () => {
      written.push(...(await writeResource(deps, run, resource, lookups, conduct)));
    });
    if (failure) failures.push(failure);
    return failure === undefined;
  };
  const settled = await Promise.allSettled(prepared.resources.map(outcomeOf));
  for (const each of settled) if (each.status === "rejected") throw each.reason;
  if (failures.length > 0) throw deploymentFailed(prepared, failures);
  return {
    outputs: await lookups.evaluate((fetch) => evaluateOutputs(prepared, fetch)),
    written: [...new Set(written)],
  };
}

function deploymentFailed({ id }: Prepared, details: readonly JsonObject[]): ArmError {
  return new ArmError(
    409,
    "DeploymentFailed",
    "At least one resource deployment operation failed. Please list deployment operations for details. Please see https://aka.ms/arm-deployment-operations for usage details.",
    { details: details.map((each) => ({ target: id, ...each })) },
  );
}

/**
 * Writes a resource and records the write as a deployment operation. If ARM returns an error, the deployment operation records
 * this error.
 */
async function recorded(
  { subscription, history }: RunDeps,
  { runId, prepared, signal }: Run,
  { id, type, name }: PlannedResource,
  write: () => Promise<void>,
): Promise<JsonObject | undefined> {
  const startedAt = subscription.clock.now().getTime();
  const record = (state: DeploymentOperation["state"], more: Partial<DeploymentOperation> = {}) => {
    const now = subscription.clock.now();
    const operation: DeploymentOperation = {
      id: operationId(prepared, id),
      state,
      timestamp: now.toISOString(),
      durationMs: now.getTime() - startedAt,
      statusCode: "",
      target: { id, resourceType: type, resourceName: name },
      ...more,
    };
    subscription.store.transaction(() => history.record(runId, prepared.id, operation));
  };
  record("Running");
  try {
    await write();
    record("Succeeded", { statusCode: "OK" });
    return undefined;
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    signal.throwIfAborted();
    const failure = detailOf(error, id);
    record("Failed", { statusCode: statusName(error.status), error: failure });
    return failure;
  }
}

/**
 * True if the history shows a successful write of the resource. Always false for a nested deployment, because the nested
 * deployment itself determines which of its resources must still be written.
 */
function isWritten(history: DeploymentHistory, prepared: Prepared, resource: PlannedResource): boolean {
  if (isDeployment(resource)) return false;
  const wanted = operationId(prepared, resource.id);
  return (history.find(prepared.id)?.operations ?? []).some(
    ({ id, state }) => id === wanted && state === "Succeeded",
  );
}

/** Returns the operation ID of a resource. It is deterministic, so that a resumed deployment finds its operations. */
function operationId(prepared: Prepared, resourceId: string): string {
  return uniqueString([prepared.id.toLowerCase(), resourceId.toLowerCase()]).toUpperCase();
}

function detailOf(error: ArmError, target: string): JsonObject {
  const { code, message, details } = error;
  return { code, target, message, ...(details.length > 0 ? { details } : {}) };
}

function statusName(status: number): string {
  return (STATUS_CODES[status] ?? "Conflict").replaceAll(/[^A-Za-z]/g, "");
}
