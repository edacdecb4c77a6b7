import { checkForce, deleteObject } from "@keelson/admin-actions";
import { objectQuery } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

/** Deletes an object of the cluster; a pod by force if need be. */
export const deleteKubernetesObject: AdminAction<
  ReturnType<typeof objectQuery> & { readonly force: boolean }
> = {
  method: "DELETE",
  suffix: "kubernetesobjects",
  mutating: true,
  read(request) {
    const query = objectQuery(request);
    const force = request.query("force")?.toLowerCase() === "true";
    checkForce(query.kind, force);
    return { ...query, force };
  },
  async handle(context, query) {
    await deleteObject(context, query);
    return { status: 200 };
  },
};
