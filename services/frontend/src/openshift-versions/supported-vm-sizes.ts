import { CloudError } from "@keelson/arm";
import { vmSizes } from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";

/** Lists the virtual machine sizes that clusters may use, by name. */
export const supportedVmSizes: Route = {
  method: "GET",
  path: paths.supportedVmSizes,
  versions: uncheckedVersion,
  handle(request) {
    const role = request.query("vmRole") ?? "";
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
