export type Status = "success" | "danger" | "warning" | "info";

const words: readonly (readonly [Status, readonly string[]])[] = [
  ["success", ["succeeded", "completed", "ready", "available", "healthy", "installed"]],
  ["danger", ["failed", "timedout", "degraded", "not ready", "unavailable", "interrupted"]],
  ["warning", ["unknown", "canceled", "cancelled", "skipped", "retryableerror"]],
  [
    "info",
    ["creating", "updating", "adminupdating", "deleting", "running", "inprogress", "progressing", "pending"],
  ],
];

/** Returns the status for a state of the service, OpenShift or Kubernetes. Undefined for unknown states. */
export function statusOf(state: string): Status | undefined {
  const word = state.toLowerCase().split(/ - |:/)[0]?.trim() ?? "";
  return words.find(([, known]) => known.includes(word))?.[0];
}
