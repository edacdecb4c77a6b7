import { type ConfigObserver, configWith } from "@keelson/operator-kit";
import { findInfrastructure, infrastructureInput } from "./infrastructure.ts";

const path = ["gracefulTerminationDuration"];
/** The delay of the shutdown, 60 s for requests that are being answered, and 5 s; the default is 135 s. */
const durations: Readonly<Record<string, string>> = { AWS: "194", GCP: "160" };

/** Seconds in the pod of the API server; no part of its configuration file. */
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
