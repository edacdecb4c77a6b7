import { isDeepStrictEqual } from "node:util";
import { listAt } from "@keelson/base";
import { done } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";
import { desiredIssuer, issuersIn, nextIssuers } from "./issuers.ts";

/** Reconciles the active and the trusted token issuers in `status.serviceAccountIssuers`. */
export const serviceAccountIssuer = kubeApiServerController({
  name: "ServiceAccountIssuerController",
  degraded: { type: "ServiceAccountIssuerControllerDegraded", failed: "SyncError", fine: "AsExpected" },
  watches: inputWatches([clusterInput(resources.authentications)]),
  // An issuer can expire although no object changes.
  resyncMs: 60_000,
  async reconcile({ parts: { cache, clock, events, operator }, configuration, signal }) {
    const authentication = cache.known(resources.authentications, singleton)?.object;
    if (!authentication) throw new Error('authentication.config.openshift.io "cluster" not found');
    const present = issuersIn(configuration);
    const wanted = nextIssuers(present, desiredIssuer(authentication), clock.now());
    if (isDeepStrictEqual(present, wanted)) return done;
    const path = "/status/serviceAccountIssuers";
    const before = listAt(configuration, "status", "serviceAccountIssuers");
    const whole =
      configuration.status === undefined
        ? [{ op: "add" as const, path: "/status", value: { serviceAccountIssuers: wanted } }]
        : before.length > 0
          ? [
              { op: "test" as const, path, value: before },
              { op: "replace" as const, path, value: wanted },
            ]
          : [{ op: "add" as const, path, value: wanted }];
    await operator.patchStatus(whole, signal);
    const [active] = wanted;
    if (present.find(({ expirationTime }) => expirationTime === undefined)?.name !== active?.name)
      events.report({
        type: "Normal",
        reason: "ServiceAccountIssuer",
        message: `Desired ServiceAccountIssuer "${active?.name}" is now active issuer.`,
      });
    return done;
  },
});
