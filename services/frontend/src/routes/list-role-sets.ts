import { externalRoleSet } from "../external-role-set.ts";
import type { Route } from "../route.ts";
import { versionSince } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Which roles the managed identities of clusters need, by OpenShift minor version in ascending order. */
export const listRoleSets: Route = {
  method: "GET",
  path: paths.roleSets,
  versions: versionSince("2024-08-12-preview"),
  authorization: "caller",
  async handle({ signal }, { catalogue }) {
    const roleSets = await catalogue.roleSets(signal);
    return { status: 200, body: { value: roleSets.map(externalRoleSet) } };
  },
};
