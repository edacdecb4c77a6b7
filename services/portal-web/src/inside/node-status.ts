import type { NodeView } from "@keelson/portal-api";

/** Returns the readiness of a node, and its active pressure conditions. */
export function nodeStatus({ conditions }: Pick<NodeView, "conditions">): {
  state: "Ready" | "Not ready" | "Unknown";
  pressures: readonly string[];
} {
  const ready = conditions.find(({ type }) => type === "Ready")?.status;
  return {
    state: ready === "True" ? "Ready" : ready === "False" ? "Not ready" : "Unknown",
    pressures: conditions
      .filter(({ type, status }) => type !== "Ready" && status === "True")
      .map(({ type }) => type),
  };
}
