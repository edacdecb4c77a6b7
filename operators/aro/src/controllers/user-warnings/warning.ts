import type { WantedObject } from "@keelson/operator-kit";

/** What a customer should mend in the cluster. */
export interface Warning {
  /** Of its ConsoleNotification. */
  readonly name: WarningName;
  /** One word in CamelCase, for the condition. */
  readonly reason: string;
  readonly text: string;
}

/** All that there can be: those whose cause is gone are deleted. */
export const warningNames = [
  "aro-sre-unsupported-condition",
  "aro-sre-unsupported-taints",
  "aro-sre-foreign-network-security-group",
  "aro-sre-expiring-credentials",
] as const;
type WarningName = (typeof warningNames)[number];

/** The appearance of the banner. */
export function notificationOf({ name, text }: Warning): WantedObject {
  return {
    metadata: { name },
    spec: { text, location: "BannerTop", color: "#000", backgroundColor: "#ff0" },
  };
}
