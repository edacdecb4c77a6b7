import { type ConfigObserver, configWith } from "@keelson/operator-kit";
import { isEnabled } from "../config/feature-gates.ts";
import { podSecurityDefaults, podSecurityGate } from "../config/pod-security.ts";
import { gatesFor, gatesInput } from "./gates.ts";

const path = ["admission", "pluginConfig", "PodSecurity", "configuration", "defaults"];

export function podSecurityObserver(version: string): ConfigObserver {
  return {
    name: "ObservePodSecurityAdmissionEnforcement",
    paths: [path],
    inputs: [gatesInput],
    observe: ({ objects }) => ({
      config: configWith(path, podSecurityDefaults(isEnabled(gatesFor(objects, version), podSecurityGate))),
    }),
  };
}
