import { checkChannel, checkUpgradeVersion, upgradeCluster } from "../upgrade/upgrade-cluster.ts";
import { readUpgrade } from "../upgrade/upgrade-status.ts";
import { required, text } from "./action-parameter.ts";
import { declareAction } from "./admin-action.ts";

const suffix = "upgrade";

export const upgradeStatus = declareAction({
  method: "GET",
  suffix,
  role: "reader",
  summary: "the cluster's version, its history, and checks before an upgrade",
  remarks: "checks whether the cluster can be upgraded to `version`. Default: the newest offered version",
  parameters: {
    version: text("version", (version) => {
      if (version !== "") checkUpgradeVersion(version);
    }),
  },
  handle: async (context, { version }) => ({ body: await readUpgrade(context, version) }),
});

export const upgrade = declareAction({
  method: "POST",
  suffix,
  role: "elevated",
  summary: "upgrade the cluster",
  remarks:
    "sets `channel` (for example `stable-4.19`), requests the upgrade, and returns when the cluster has accepted it. If checks fail, the response is 409 and lists them in `details`",
  planned: true,
  destructive: true,
  long: { limitMs: 10 * 60_000 },
  parameters: {
    version: required(text("version", checkUpgradeVersion)),
    channel: text("channel", checkChannel),
  },
  handle: async (context, parameters, journal) => ({
    body: await upgradeCluster(context, parameters, journal),
  }),
});
