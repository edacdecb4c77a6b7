import { CloudError } from "@keelson/arm";
import { externalRoleSet } from "../external-role-set.ts";
import type { Route } from "../route.ts";
import { versionSince } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const getRoleSet: Route = {
  method: "GET",
  path: paths.roleSet,
  versions: versionSince("2024-08-12-preview"),
  authorization: "caller",
  async handle(exchange, { catalogue }) {
    const minor = exchange.parameter("openShiftMinorVersion");
    const found = (await catalogue.roleSets(exchange.signal)).find((each) => each.openShiftVersion === minor);
    if (found) return { status: 200, body: externalRoleSet(found) };
    throw new CloudError(
      "ResourceNotFound",
      `The Resource platformWorkloadIdentityRoleSet with version '${minor}' was not found in the namespace '${exchange.parameter("namespace")}' for api version '${exchange.apiVersion}'.`,
      // Clients know 400 here, not 404: Azure/ARO-RP pkg/frontend/platformworkloadidentityroleset_get.go.
      { status: 400 },
    );
  },
};
