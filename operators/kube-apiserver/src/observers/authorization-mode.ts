import type { ConfigObserver } from "@keelson/operator-kit";
import { authorizationModes } from "../config/authorization-modes.ts";
import { isEnabled } from "../config/feature-gates.ts";
import { argumentPath, withArguments } from "./arguments.ts";
import { gatesFor, gatesInput } from "./gates.ts";

export function authorizationModeObserver(version: string): ConfigObserver {
  return {
    name: "ObserveAuthorizationMode",
    paths: [argumentPath("authorization-mode")],
    inputs: [gatesInput],
    observe({ objects }) {
      const modes = authorizationModes(isEnabled(gatesFor(objects, version), "MinimumKubeletVersion"));
      return { config: withArguments({ "authorization-mode": modes }) };
    },
  };
}
