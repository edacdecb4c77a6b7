import type { Route } from "../route.ts";
import { versionWith } from "../version-rule.ts";
import { listCredentials } from "./list-credentials.ts";
import { paths } from "./paths.ts";

/** The name that `listCredentials` had until January 2020. */
export const credentials: Route = {
  ...listCredentials,
  path: paths.credentials,
  versions: versionWith("credentials"),
};
