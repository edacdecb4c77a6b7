import { callReadingAction } from "../action-requests/action-requests.ts";
import type { AdminResponse } from "../admin-api/admin-api.ts";
import { adminValueOf, checkSuccess } from "../admin-api/admin-value.ts";
import { azureResourcesOf, effectiveRoutesOf } from "../admin-api/azure-resources.ts";
import { getCluster } from "../clusters/find-cluster.ts";
import { portalErrors } from "../errors/portal-errors.ts";
import {
  clusterPath,
  type PortalContext,
  type PortalResponse,
  type PortalRoute,
} from "../http/portal-route.ts";
import { lastLogLines, maxLogLines } from "../inside/container-log.ts";
import type { ActionRoutesDeps } from "./action-requests.ts";

type Respond = (response: AdminResponse, context: PortalContext) => Promise<PortalResponse> | PortalResponse;

/**
 * Routes for the Azure resources of a cluster. The routes call actions of the admin API with the person's token. The admin API
 * therefore checks the person's role and records each read.
 */
export function azureResourceRoutes(deps: ActionRoutesDeps): readonly PortalRoute[] {
  const route = (
    path: string,
    action: string,
    parameter: string | undefined,
    respond: Respond,
  ): PortalRoute => ({
    method: "GET",
    path: `${clusterPath.data}/${path}`,
    carriesClusterData: true,
    async handle(context) {
      const { adminApi } = deps;
      if (!adminApi)
        throw portalErrors.NotConfigured("The portal is configured without an admin API: `portal.adminApi`.");
      const { url, login, signal } = context;
      const { subject, role } = login();
      const query = parameter === undefined ? {} : { [parameter]: url.searchParams.get(parameter) ?? "" };
      context.audit({ subject, role, action, ...query });
      const cluster = await getCluster(deps.database, context);
      const caller = { cluster, login: login(), signal };
      const response = await callReadingAction({ ...deps, adminApi }, caller, { action, query });
      return respond(response, context);
    },
  });
  return [
    route("azure-resources", "GET resources", undefined, (response) => ({
      status: 200,
      json: azureResourcesOf(adminValueOf(response)),
    })),
    route("effective-routes", "GET effectiveroutetable", "nic", (response) => ({
      status: 200,
      json: effectiveRoutesOf(adminValueOf(response)),
    })),
    route("serial-console", "GET serialconsole", "vmName", async (response) => ({
      status: 200,
      json: await consoleOf(response),
    })),
    route("serial-console-file", "GET serialconsole", "vmName", async (response, { url }) => {
      const { lines } = await consoleOf(response);
      const name = (url.searchParams.get("vmName") ?? "").replace(/[^a-z0-9.-]/gi, "_");
      return {
        status: 200,
        text: lines.map((line) => `${line}\n`).join(""),
        headers: {
          "content-type": "text/plain; charset=utf-8",
          "content-disposition": `attachment; filename="${name}-console.log"`,
        },
      };
    }),
  ];
}

async function consoleOf(response: AdminResponse) {
  checkSuccess(response);
  const { lines, truncated } = await lastLogLines([response.bytes], maxLogLines);
  return { lines, truncated: truncated || response.isTruncated };
}
