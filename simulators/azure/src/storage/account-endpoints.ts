import type { JsonObject } from "@keelson/base";
import { azureHost } from "../proxy/azure-hosts.ts";

/** First segments of the listener's other paths, in whose place an account of that name is below `/blobs`. */
const otherPaths = new Set(
  "metadata sim identity beta vaults blobs bootdiagnostics web subscriptions providers tenants".split(" "),
);

/** Whether the listener has something else than an account at a path's first segment. */
export function isOtherPath(segment: string): boolean {
  return otherPaths.has(segment.toLowerCase());
}

/**
 * Where an account answers, for clients that called the simulation at `baseUrl`: below that address as emulators of Azure
 * Storage have it, which clients know from hosts without a domain; by Azure's names for those that came by them.
 */
export function accountEndpoints(account: string, baseUrl: string | undefined): JsonObject {
  const isAzure = baseUrl === undefined || azureHost(new URL(baseUrl).host) !== undefined;
  const folder = isOtherPath(account) ? "/blobs" : "";
  return isAzure
    ? {
        blob: `https://${account}.blob.core.windows.net/`,
        web: `https://${account}.z13.web.core.windows.net/`,
      }
    : { blob: `${baseUrl}${folder}/${account}/`, web: `${baseUrl}/web/${account}/` };
}
