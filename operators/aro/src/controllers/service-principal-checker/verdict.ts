import { azureFailure } from "../../azure/azure-failure.ts";

/** Result of a check. The status is `Unknown` if Azure did not respond. */
export type Verdict =
  | { readonly status: "True" }
  | { readonly status: "False" | "Unknown"; readonly message: string };

export const valid: Verdict = { status: "True" };

/**
 * Matches permanent errors of the identity provider. ARO-RP matches a wrong secret, a missing application and an expired secret
 * (Azure/ARO-RP pkg/operator/controllers/checkers/serviceprincipalchecker). This pattern also matches a disabled application, an
 * application without a service principal, and an identity that does not trust the cluster's tokens.
 */
const lastingRefusals = /AADSTS(?:7000215|700016|7000222|7000112|7000229|700211|700212|700213)\b/;

/** Returns the verdict on the principal after a failed request. */
export function verdictOf(error: unknown): Verdict {
  const message = azureFailure(error);
  return lastingRefusals.test(message)
    ? { status: "False", message }
    : { status: "Unknown", message: `Unable to validate: ${message}` };
}

/** Combines verdicts. False takes precedence over Unknown. */
export function combined(verdicts: readonly Verdict[]): Verdict {
  for (const status of ["False", "Unknown"] as const) {
    const messages = verdicts.flatMap((each) => (each.status === status ? [each.message] : []));
    if (messages.length > 0) return { status, message: [...new Set(messages)].sort().join("\n") };
  }
  return valid;
}
