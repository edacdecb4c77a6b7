import { type LinkedRights, linkedRights } from "@keelson/aro-api";
import { azureErrorCode, isNotFound, missingAction, permissionsOn, type RawRequests } from "@keelson/azure";
import { type Verdict, valid, verdictOf } from "./verdict.ts";

/** Principal with the permissions to check. */
export interface JudgedPrincipal {
  readonly clientId: string;
  readonly usesWorkloadIdentity: boolean;
}

/** Checks that the signed-in principal has the required actions on a resource. */
export async function judgeRights(
  clients: { readonly raw: Pick<RawRequests, "get"> },
  principal: JudgedPrincipal,
  { kind, id }: { readonly kind: keyof typeof linkedRights; readonly id: string },
  signal: AbortSignal,
): Promise<Verdict> {
  const { usesWorkloadIdentity } = principal;
  // The annotation widens the literal types of the constant, so that every kind has the same type.
  const rights: LinkedRights = linkedRights[kind];
  const needed = usesWorkloadIdentity ? rights.operatorIdentity : rights.servicePrincipal;
  if (needed.length === 0) return valid;
  try {
    const missing = missingAction(await permissionsOn(clients, id, signal), needed);
    return missing === undefined ? valid : denied(principal, rights.label, id, missing);
  } catch (error) {
    if (isNotFound(error)) return valid;
    if (azureErrorCode(error) !== "AuthorizationFailed") return verdictOf(error);
    // A workload identity has no permission to list its own permissions, so this error is expected. A missing permission appears
    // when a read or write fails.
    if (usesWorkloadIdentity) return valid;
    return denied(principal, rights.label, id, needed[0] ?? "");
  }
}

/** Returns the message of the service's validation (Azure/ARO-RP pkg/validate/dynamic), with the missing action. */
export function denied(
  { clientId, usesWorkloadIdentity }: JudgedPrincipal,
  label: string,
  id: string,
  action: string,
): Verdict {
  const who = usesWorkloadIdentity
    ? "aro-operator platform managed identity"
    : `cluster service principal (Application ID: ${clientId})`;
  const message = `The ${who} does not have required permissions on ${label} '${id}'. It lacks ${action}.`;
  return { status: "False", message };
}
