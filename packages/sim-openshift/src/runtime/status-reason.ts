/** The `reason` of a Kubernetes Status thrown by the API server's client: `NotFound`, `Conflict` ... */
export function statusReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("reason" in error)) return undefined;
  return typeof error.reason === "string" ? error.reason : undefined;
}
