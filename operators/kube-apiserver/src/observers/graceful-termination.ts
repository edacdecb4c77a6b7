import { type ConfigObserver, configWith } from "@keelson/operator-kit";
import { findInfrastructure, infrastructureInput } from "./infrastructure.ts";

const path = ["gracefulTerminationDuration"];
/** Shutdown delay, 60 s for requests in flight, and 5 s. Default: 135 s. */
const durations: Readonly<Record<string, string>> = { AWS: "194", GCP: "160" };

/** Grace period of the API server's pod in seconds. Not part of its configuration file. */
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
