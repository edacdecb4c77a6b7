import type { ConfigObserver } from "@keelson/operator-kit";
import { argumentPath, withArguments } from "./arguments.ts";
import { findInfrastructure, infrastructureInput } from "./infrastructure.ts";

const name = "send-retry-after-while-not-ready-once";

/**
 * Observes whether a starting API server asks clients to retry later. The API server does so only in a cluster with a single
 * master. In all other clusters, a second API server is ready to respond.
 */
export const observeRetryAfter: ConfigObserver = {
  name: "ObserveSendRetryAfterWhileNotReadyOnce",
  paths: [argumentPath(name)],
  inputs: [infrastructureInput],
  observe({ objects, existing }) {
    const infrastructure = findInfrastructure(objects);
    if (!infrastructure) return { config: existing };
    return { config: withArguments({ [name]: [String(infrastructure.isSingleReplica)] }) };
  },
};
