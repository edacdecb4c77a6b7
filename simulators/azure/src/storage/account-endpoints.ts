import type { JsonObject } from "@keelson/base";
import { azureHost } from "../proxy/azure-hosts.ts";

/** First path segments that are not accounts. An account with such a name is below `/blobs`. */
const otherPaths = new Set(
  "metadata sim identity beta vaults blobs bootdiagnostics web subscriptions providers tenants".split(" "),
);

/** True if the first segment of a path is not an account on the listener. */
export function isOtherPath(segment: string): boolean {
  return otherPaths.has(segment.toLowerCase());
}

/**
 * Endpoints of an account for clients that called the simulation at `baseUrl`. They are below that address,
 * as in emulators of Azure Storage, or have Azure's host names for clients that used these.
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
