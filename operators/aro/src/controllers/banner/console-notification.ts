import type { WantedObject } from "@keelson/operator-kit";

export const bannerName = "openshift-aro-sre";

/**
 * The banner for a setting of `spec.banner.content`; `undefined` when there should be none.
 * @throws Error for a setting that has no banner
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
