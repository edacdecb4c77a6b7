import { clusterWithCredentials } from "../cluster-credentials.ts";
import type { Route } from "../route.ts";
import { versionWith } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** The kubeconfig made for customers; the installer's own, which lives for years, is never handed out. */
export const listAdminCredentials: Route = {
  method: "POST",
  path: paths.listAdminCredentials,
  versions: versionWith("listAdminCredentials"),
  authorization: "caller",
  async handle(exchange, { database }) {
    const { userAdminKubeconfig } = await clusterWithCredentials(exchange, database, "listAdminCredentials");
    const kubeconfig = userAdminKubeconfig && Buffer.from(userAdminKubeconfig.reveal()).toString("base64");
    return { status: 200, body: { kubeconfig } };
  },
};
