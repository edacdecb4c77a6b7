import { type ConfigObserver, configWith } from "@keelson/operator-kit";
import { findInfrastructure, infrastructureInput } from "./infrastructure.ts";

const path = ["gracefulTerminationDuration"];
/**
 * Grace periods in seconds by platform. Each period is the sum of the shutdown delay, 60 s for in-flight requests, and 5 s
 * reserve. Other platforms use 135 s.
 */
const durations: Readonly<Record<string, string>> = { AWS: "194", GCP: "160" };

/** Observes the grace period of the API server's pod in seconds. The value is not in the API server's configuration file. */
export const observeGracefulTermination: ConfigObserver = {
  name: "ObserveGracefulTerminationDuration",
  paths: [path],
  inputs: [infrastructureInput],
  observe({ objects, existing }) {
    const infrastructure = findInfrastructure(objects);
    if (!infrastructure) return { config: existing };
    const seconds = infrastructure.isSingleReplica ? "15" : durations[infrastructure.platform ?? ""];
    return { config: seconds === undefined ? {} : configWith(path, seconds) };
  },
};
