import { readObjects } from "@keelson/admin-actions";
import { objectQuery, queryFlag } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

/** An object of the cluster, or a list. */
export const readKubernetesObjects: AdminAction<
  ReturnType<typeof objectQuery> & { readonly unrestricted: boolean }
> = {
  method: "GET",
  suffix: "kubernetesobjects",
  mutating: false,
  read: (request) => ({ ...objectQuery(request), unrestricted: queryFlag(request, "unrestricted") }),
  handle: async (context, query) => ({ status: 200, body: await readObjects(context, query) }),
};
