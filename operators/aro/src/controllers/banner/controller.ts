import { singleton } from "@keelson/aro-api";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOff } from "../../runtime/flags.ts";
import { managing, may } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { bannerName, consoleNotification } from "./console-notification.ts";

const { consoleNotifications } = resources;

/** Shows a banner in the web console. The banner asks the customer to contact support. */
export const banner: RegisteredController = {
  name: "Banner",
  flag: "aro.banner.enabled",
  flags: { "aro.banner.enabled": switchedOff },
  documentation: {
    purpose: "ConsoleNotification `openshift-aro-sre` with the text of `spec.banner.content`.",
    improvement: "Also repairs color and location.",
  },
  watches: [
    watchFor(consoleNotifications, singleton, {
      selection: { fieldSelector: `metadata.name=${bannerName}` },
      where: named(bannerName),
    }),
  ],
  permissions: [may(managing, "console.openshift.io", ["consolenotifications"])],
  async reconcile({ cluster, objects }) {
    const wanted = consoleNotification(cluster.spec?.banner?.content ?? "", cluster.spec?.resourceId ?? "");
    if (wanted) await objects.ensure(consoleNotifications, wanted);
    else await objects.remove(consoleNotifications, { name: bannerName });
    return done;
  },
};
