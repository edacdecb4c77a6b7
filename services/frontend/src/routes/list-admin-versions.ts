import { compareNumerically, readVersions } from "../catalogue.ts";
import { adminOpenShiftVersion } from "../external-version.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Every OpenShift version, also those that customers do not get, in ascending order. */
export const listAdminVersions: Route = {
  method: "GET",
  path: paths.adminVersions,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle({ signal }, { database }) {
    const documents = await readVersions(database, signal);
    const versions = documents
      .map((each) => each.openShiftVersion.properties)
      .sort((a, b) => compareNumerically(a.version, b.version));
    return { status: 200, body: { value: versions.map(adminOpenShiftVersion) } };
  },
};
