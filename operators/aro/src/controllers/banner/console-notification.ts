import type { WantedObject } from "@keelson/operator-kit";

export const bannerName = "openshift-aro-sre";

/**
 * Returns the banner for `spec.banner.content`. `undefined` if the value is empty.
 * @throws Error for an unknown value
 */
export function consoleNotification(content: string, resourceId: string): WantedObject | undefined {
  if (content === "") return undefined;
  if (content !== "ContactSupport") throw new Error(`wrong banner setting '${content}'`);
  const text = `We have noticed an issue regarding your cluster requiring an action on your part. Please contact support with your cluster resource ID: ${resourceId}`;
  return {
    metadata: { name: bannerName },
    spec: { text, location: "BannerTop", color: "#000", backgroundColor: "#ff0" },
  };
}
