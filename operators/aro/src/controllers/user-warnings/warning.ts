import type { WantedObject } from "@keelson/operator-kit";

/** Problem in the cluster that the customer should fix. */
export interface Warning {
  /** Name of the warning's ConsoleNotification. */
  readonly name: WarningName;
  /** Reason of the condition as one CamelCase word. */
  readonly reason: string;
  readonly text: string;
}

/** Names of all possible warnings. If a warning does not apply now, its notification is deleted. */
export const warningNames = [
  "aro-sre-unsupported-condition",
  "aro-sre-unsupported-taints",
  "aro-sre-foreign-network-security-group",
  "aro-sre-expiring-credentials",
] as const;
type WarningName = (typeof warningNames)[number];

/** Returns the ConsoleNotification of a warning. */
export function notificationOf({ name, text }: Warning): WantedObject {
  return {
    metadata: { name },
    spec: { text, location: "BannerTop", color: "#000", backgroundColor: "#ff0" },
  };
}
