import { CloudError } from "@keelson/arm";
import { vmSizes } from "@keelson/model";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** The sizes of virtual machines that clusters may have, by name. */
export const supportedVmSizes: Route = {
  method: "GET",
  path: paths.supportedVmSizes,
  versions: uncheckedVersion,
  authorization: "caller",
  handle(exchange) {
    const role = exchange.query("vmRole") ?? "";
    if (role !== "master" && role !== "worker") {
      throw new CloudError(
        "InvalidParameter",
        `The provided vmRole '${role}' is invalid. vmRole can only be master or worker`,
      );
    }
    const sizes = vmSizes.filter((size) => size.roles.includes(role) && !size.developmentOnly);
    const body = sizes.map(({ name, cores, family }) => [name, { coreCount: cores, family }]);
    return { status: 200, body: Object.fromEntries(body) };
  },
};
