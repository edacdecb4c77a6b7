import { clusterWithCredentials } from "../cluster-credentials.ts";
import type { Route } from "../route.ts";
import { versionWith } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const listCredentials: Route = {
  method: "POST",
  path: paths.listCredentials,
  versions: versionWith("listCredentials"),
  authorization: "caller",
  async handle(exchange, { database }) {
    const { kubeadminPassword } = await clusterWithCredentials(exchange, database, "listCredentials");
    return {
      status: 200,
      body: { kubeadminUsername: "kubeadmin", kubeadminPassword: kubeadminPassword?.reveal() },
    };
  },
};
