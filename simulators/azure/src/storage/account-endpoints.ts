import type { JsonObject } from "@keelson/base";
import { azureHost } from "../proxy/azure-hosts.ts";

/**
 * Reserved first path segments. They do not identify accounts. An account with the name of a reserved segment is served below
 * `/blobs`.
 */
const otherPaths = new Set(
  "metadata sim identity beta vaults blobs bootdiagnostics web subscriptions providers tenants".split(" "),
);

/** True if the first path segment is reserved and therefore does not name an account. */
export function isOtherPath(segment: string): boolean {
  return otherPaths.has(segment.toLowerCase());
}

/**
 * Returns the endpoints of an account. Clients that use Azure's host names receive Azure's endpoints. All other clients receive
 * paths below `baseUrl`, as with Azure Storage emulators.
 */
export function accountEndpoints(account: string, baseUrl: string | undefined): JsonObject {
  const isAzure = baseUrl === undefined || azureHost(new URL(baseUrl).host) !== undefined;
  const directory = isOtherPath(account) ? "/blobs" : "";
  return isAzure
    ? {
        blob: `https://${account}.blob.core.windows.net/`,
        web: `https://${account}.z13.web.core.windows.net/`,
      }
    : { blob: `${baseUrl}${directory}/${account}/`, web: `${baseUrl}/web/${account}/` };
}
