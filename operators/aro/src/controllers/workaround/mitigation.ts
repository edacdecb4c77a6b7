import { isFlagOn } from "@keelson/aro-api";
import { configChange, configRemoval } from "../../machine-configs/config-change.ts";
import { findConfig } from "../../machine-configs/observed-configs.ts";
import {
  getClusterVersion,
  installedVersion,
  isBefore,
  type ReleaseVersion,
} from "../../runtime/cluster-version.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { Workaround } from "./workaround.ts";

export interface Mitigation {
  readonly name: string;
  readonly flag: string;
  /** Of control plane nodes alone. */
  readonly configName: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** The first releases that need it no more, one of a minor version; minor versions without one need it. */
  readonly fixed: readonly ReleaseVersion[];
  /** Whether the cluster uses what the mitigation takes away. */
  readonly conflicts?: (request: Request) => Promise<boolean>;
}

/** No release from here on needs one. */
const allFixed: ReleaseVersion = [4, 22, 0];

/**
 * A MachineConfig that takes a vulnerable part of the kernel away. It comes at once, and goes at once when it is switched
 * off or in the cluster's way; one that a release made superfluous harms nothing, and goes with the next upgrade.
 */
export function mitigation({ name, flag, configName, spec, fixed, conflicts }: Mitigation): Workaround {
  return {
    name,
    async plan(request) {
      const live = await findConfig(request, configName);
      if (!isFlagOn(request.flags, flag)) return configRemoval(live, true);
      if (await conflicts?.(request)) return configRemoval(live, true);
      const version = installedVersion(await getClusterVersion(request.objects));
      if (!isVulnerable(version, fixed)) return configRemoval(live, false);
      return configChange(live, { name: configName, role: "master", spec }, { createAnyTime: true });
    },
  };
}

export function isVulnerable(version: ReleaseVersion, fixed: readonly ReleaseVersion[]): boolean {
  if (!isBefore(version, allFixed)) return false;
  const first = fixed.find(([major, minor]) => major === version[0] && minor === version[1]);
  return first === undefined || isBefore(version, first);
}
