import { CloudError } from "@keelson/arm";
import { externalVersion } from "../external-version.ts";
import type { Route } from "../route.ts";
import { versionSince } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const getOpenShiftVersion: Route = {
  method: "GET",
  path: paths.openShiftVersion,
  versions: versionSince("2022-09-04"),
  authorization: "caller",
  async handle(exchange, { catalogue }) {
    const name = exchange.parameter("openShiftVersion");
    const { names } = await catalogue.versions(exchange.signal);
    if (names.includes(name)) return { status: 200, body: externalVersion(name, exchange.version.name) };
    throw new CloudError(
      "ResourceNotFound",
      `The Resource openShiftVersion with version '${name}' was not found in the namespace '${exchange.parameter("namespace")}' for api version '${exchange.apiVersion}'.`,
      // Clients know 400 here, not 404: Azure/ARO-RP pkg/frontend, getInstallVersion.
      { status: 400 },
    );
  },
};
