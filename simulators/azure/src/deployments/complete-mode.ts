import { ArmError } from "../arm/arm-error.ts";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import type { ArmCalls, Deployer } from "./arm-calls.ts";
import { scopeId } from "./language/context.ts";
import type { Prepared } from "./prepared.ts";
import type { Run, RunDeps } from "./run.ts";

const listApiVersion = "2021-04-01";
const deleteApiVersion = "2025-07-25";

/** Returns the IDs of all resources in the deployment's group. */
export async function resourcesInGroup(
  calls: ArmCalls,
  deployer: Deployer,
  { place }: Pick<Prepared, "place">,
): Promise<readonly string[]> {
  if (place.group === undefined) return [];
  const found: string[] = [];
  let query: Readonly<Record<string, string>> | undefined = {};
  while (query) {
    const call = { method: "GET", id: `${scopeId(place)}/resources`, apiVersion: listApiVersion, query };
    const { body } = await calls.send(deployer, call);
    found.push(...objectsAt(body, "value").flatMap((each) => nonEmptyStringAt(each, "id") ?? []));
    const next = URL.parse(nonEmptyStringAt(body, "nextLink") ?? "");
    query = next ? Object.fromEntries(next.searchParams) : undefined;
  }
  return found;
}

/**
 * Deletes the group's resources that are not in the template. If a resource is still in use, its deletion is retried after the
 * other deletions.
 * @throws ArmError for a resource that cannot be deleted
 */
export async function deleteOthers(
  { calls }: RunDeps,
  { prepared, deployer, signal }: Run,
  written: readonly string[],
): Promise<void> {
  const kept = written.map((each) => each.toLowerCase());
  const isKept = (id: string) =>
    kept.some((each) => each === id.toLowerCase() || each.startsWith(`${id.toLowerCase()}/`));
  let left = (await resourcesInGroup(calls, deployer, prepared)).filter((id) => !isKept(id));
  while (left.length > 0) {
    const refused: string[] = [];
    let refusal: ArmError | undefined;
    for (const id of left) {
      try {
        await calls.complete(deployer, { method: "DELETE", id, apiVersion: deleteApiVersion }, signal);
      } catch (error) {
        if (!(error instanceof ArmError)) throw error;
        refused.push(id);
        refusal = error;
      }
    }
    if (refusal && refused.length === left.length) throw refusal;
    left = refused;
  }
}
