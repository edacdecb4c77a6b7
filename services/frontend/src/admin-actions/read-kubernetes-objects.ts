import { readObjects } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";
import { objectQuery } from "./object-query.ts";
import { queryFlag } from "./query-flag.ts";

/** An object of the cluster, or a list. */
export const readKubernetesObjects: AdminAction<
  ReturnType<typeof objectQuery> & { readonly unrestricted: boolean }
> = {
  method: "GET",
  suffix: "kubernetesobjects",
  mutating: false,
  read: (exchange) => ({ ...objectQuery(exchange), unrestricted: queryFlag(exchange, "unrestricted") }),
  handle: async (context, query) => ({ status: 200, body: await readObjects(context, query) }),
};
