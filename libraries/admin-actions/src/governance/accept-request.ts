import { CloudError } from "@keelson/arm";
import type { Clock } from "@keelson/base";
import { replace } from "@keelson/database";
import type { ActionRequestDocument, ClusterDocument, ServiceDatabase } from "@keelson/model";

/** Call of the admin API with which the portal runs a previously submitted action request. */
export interface RequestedCall {
  readonly id: string;
  /** The authenticated caller. */
  readonly subject: string | undefined;
  readonly cluster: Pick<ClusterDocument, "id" | "key" | "partitionKey">;
  readonly digest: string;
  readonly needsApproval: boolean;
}

/** Maximum time in ms between the submission of the request in the portal and the API call. */
const callMs = 60_000;

/**
 * Accepts an API call that runs a portal request. Only one call per portal request is accepted. The call and the portal request
 * must have the same person, cluster document, action and parameters.
 * @throws CloudError NotFound; Forbidden; Conflict if the request was accepted before
 */
export async function acceptRequest(
  database: ServiceDatabase,
  call: RequestedCall,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ActionRequestDocument> {
  const { actionRequests } = database.collections;
  const { cluster, id } = call;
  for (;;) {
    const stored = await actionRequests.find(cluster.partitionKey, id, signal);
    if (!stored) throw new CloudError("NotFound", `The action request '${id}' was not found.`);
    const problem = problemOf(stored.document, call, clock.now());
    if (problem !== undefined)
      throw new CloudError(problem.code, `The action request '${id}' ${problem.text}.`);
    const accepted = { ...stored.document, acceptedAt: clock.now().toISOString() };
    const write = replace(actionRequests, stored, accepted);
    const { kind } = await database.commit(cluster.partitionKey, [write], { signal });
    if (kind === "committed") return accepted;
  }
}

interface Problem {
  readonly code: "Conflict" | "Forbidden";
  readonly text: string;
}

function problemOf(document: ActionRequestDocument, call: RequestedCall, now: Date): Problem | undefined {
  const { requestedBy, clusterKey, clusterDocumentId, digest, state, submittedAt, acceptedAt, decision } =
    document;
  const { cluster, subject, needsApproval } = call;
  const forbidden = (text: string): Problem => ({ code: "Forbidden", text });
  if (subject === undefined || requestedBy.subject !== subject) return forbidden("is of a different person");
  if (clusterKey !== cluster.key || clusterDocumentId !== cluster.id)
    return forbidden("is for a different cluster");
  if (digest !== call.digest) return forbidden("is for a different action or different parameters");
  if (acceptedAt !== undefined) return { code: "Conflict", text: `was accepted before, at ${acceptedAt}` };
  const ageMs = now.getTime() - Date.parse(submittedAt ?? "");
  if (state !== "Submitted" || !(ageMs < callMs)) return forbidden("is not confirmed");
  const isApproved = decision?.approved === true && decision.subject !== requestedBy.subject;
  if (needsApproval && !isApproved) return forbidden("needs the approval of a second person");
  return undefined;
}
