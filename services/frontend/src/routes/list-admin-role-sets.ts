import { readRoleSets } from "../catalogue.ts";
import { adminRoleSet } from "../external-role-set.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** The role sets with service accounts and secrets, by OpenShift minor version in ascending order. */
export const listAdminRoleSets: Route = {
  method: "GET",
  path: paths.adminRoleSets,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle({ signal }, { database }) {
    return { status: 200, body: { value: (await readRoleSets(database, signal)).map(adminRoleSet) } };
  },
};
