import type { ConfigObserver } from "@keelson/operator-kit";
import { argumentPath, withArguments } from "./arguments.ts";
import { findInfrastructure, infrastructureInput } from "./infrastructure.ts";

const name = "send-retry-after-while-not-ready-once";

/**
 * Observes whether an API server asks clients to retry while it starts. Only a single API server does. In other clusters, a ready
 * API server responds.
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
