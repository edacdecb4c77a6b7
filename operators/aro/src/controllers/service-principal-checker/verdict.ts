import { azureFailure } from "../../azure/azure-failure.ts";

/** What a check found: `Unknown` where Azure cannot answer. */
export type Verdict =
  | { readonly status: "True" }
  | { readonly status: "False" | "Unknown"; readonly message: string };

export const valid: Verdict = { status: "True" };

/**
 * Refusals of the identity provider that last until a person acts: a wrong secret, an application that is not there, an
 * expired secret (Azure/ARO-RP pkg/operator/controllers/checkers/serviceprincipalchecker); also an application that is
 * disabled or has no service principal, and identities that do not trust the cluster's tokens.
 */
const lastingRefusals = /AADSTS(?:7000215|700016|7000222|7000112|7000229|700211|700212|700213)\b/;

/** What a failed request says about the principal. */
export function verdictOf(error: unknown): Verdict {
  const message = azureFailure(error);
  return lastingRefusals.test(message)
    ? { status: "False", message }
    : { status: "Unknown", message: `Unable to validate: ${message}` };
}

/** Of several: what is certainly wrong goes before what is not known. */
export function combined(verdicts: readonly Verdict[]): Verdict {
  for (const status of ["False", "Unknown"] as const) {
    const messages = verdicts.flatMap((each) => (each.status === status ? [each.message] : []));
    if (messages.length > 0) return { status, message: [...new Set(messages)].sort().join("\n") };
  }
  return valid;
}
