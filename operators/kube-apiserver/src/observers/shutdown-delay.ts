import type { ConfigObserver } from "@keelson/operator-kit";
import { argumentPath, withArguments } from "./arguments.ts";
import { findInfrastructure, infrastructureInput } from "./infrastructure.ts";

/** Time in seconds that load balancers need to remove an API server, by platform. Default: 70 s. */
const delays: Readonly<Record<string, string>> = { AWS: "129s", GCP: "95s" };

export const observeShutdownDelay: ConfigObserver = {
  name: "ObserveShutdownDelayDuration",
  paths: [argumentPath("shutdown-delay-duration")],
  inputs: [infrastructureInput],
  observe({ objects, existing }) {
    const infrastructure = findInfrastructure(objects);
    if (!infrastructure) return { config: existing };
    const delay = infrastructure.isSingleReplica ? "0s" : delays[infrastructure.platform ?? ""];
    return {
      config: withArguments({ "shutdown-delay-duration": delay === undefined ? undefined : [delay] }),
    };
  },
};
