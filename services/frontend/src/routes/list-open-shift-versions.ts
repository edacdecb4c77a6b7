import { externalVersion } from "../external-version.ts";
import type { Route } from "../route.ts";
import { versionSince } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** The OpenShift versions that can be installed, in ascending order. */
export const listOpenShiftVersions: Route = {
  method: "GET",
  path: paths.openShiftVersions,
  versions: versionSince("2022-09-04"),
  authorization: "caller",
  async handle({ version, signal }, { catalogue }) {
    const { names } = await catalogue.versions(signal);
    return { status: 200, body: { value: names.map((name) => externalVersion(name, version.name)) } };
  },
};
