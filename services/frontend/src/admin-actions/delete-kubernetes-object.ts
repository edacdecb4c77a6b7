import { checkForce, deleteObject } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";
import { objectQuery } from "./object-query.ts";

/** Deletes an object of the cluster; a pod by force if need be. */
export const deleteKubernetesObject: AdminAction<
  ReturnType<typeof objectQuery> & { readonly force: boolean }
> = {
  method: "DELETE",
  suffix: "kubernetesobjects",
  mutating: true,
  read(exchange) {
    const query = objectQuery(exchange);
    const force = exchange.query("force")?.toLowerCase() === "true";
    checkForce(query.kind, force);
    return { ...query, force };
  },
  async handle(context, query) {
    await deleteObject(context, query);
    return { status: 200 };
  },
};
