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
  /** Name of the MachineConfig. It applies only to control plane nodes. */
  readonly configName: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** First fixed release of each minor version. A minor version without an entry needs the mitigation in all releases. */
  readonly fixed: readonly ReleaseVersion[];
  /** True if the cluster uses functions that the mitigation would disable. */
  readonly conflicts?: (request: Request) => Promise<boolean>;
}

/** First minor version that fixes all vulnerabilities for which a mitigation exists. */
const allFixed: ReleaseVersion = [4, 22, 0];

/**
 * Returns a workaround that disables a vulnerable kernel module with a MachineConfig. The MachineConfig is added immediately. If
 * the flag is off or the mitigation conflicts with the cluster, the MachineConfig is removed immediately. In a fixed release, the
 * MachineConfig is harmless, so it is removed only when nodes may reboot.
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
