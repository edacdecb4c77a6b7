import type { JsonValue } from "@keelson/base";
import type { ResourceRecord } from "../arm/resource.ts";
import { at } from "../base/json.ts";
import { bootProblemOf } from "./boot-problem.ts";
import { sshHostKeyOf } from "./ssh-host-key.ts";

/** Returns a machine's serial console output. `boots` contains the boot times (RFC 3339), oldest first. */
export function serialConsoleLog(record: ResourceRecord, boots: readonly string[]): string {
  const release = coreOsRelease(at(record.body, "properties", "storageProfile", "imageReference"));
  return boots
    .map((time, boot) => {
      const problem = boot === boots.length - 1 ? bootProblemOf(record) : undefined;
      if (!release) return linuxBoot(record, time);
      return problem === undefined
        ? coreOsBoot(record, release, time, boot === 0)
        : failedBoot(release, time, problem);
    })
    .join("");
}

/** Returns the console output of a boot in which Ignition fails. The output ends with the emergency shell. */
function failedBoot(release: CoreOsRelease, time: string, problem: string): string {
  return [
    ...kernelLines(release, time),
    `[    7.412000] ignition[764]: failed to fetch config: ${problem}`,
    "[    7.413000] ignition[764]: Ignition failed: failed to fetch config",
    "[    7.420000] systemd[1]: Failed to start Ignition (fetch).",
    "[    7.430000] systemd[1]: Reached target Emergency Mode.",
    "",
    "Press Enter for emergency shell or wait 5 minutes for reboot.",
    "",
  ].join("\n");
}

function kernelLines({ release }: CoreOsRelease, time: string): readonly string[] {
  return [
    `[    0.000000] Linux version 5.14.0-570.12.1.el9_6.x86_64 (mockbuild@x86-64) #1 SMP PREEMPT_DYNAMIC booted at ${time}`,
    `[    0.000000] Command line: BOOT_IMAGE=(hd0,gpt3)/boot/ostree/rhcos-${release}/vmlinuz ignition.platform.id=azure console=tty0 console=ttyS0,115200n8`,
  ];
}

function linuxBoot({ name }: ResourceRecord, time: string): string {
  return `[    0.000000] Linux version 5.14.0 booted at ${time}\n[    9.000000] ${name} login:\n`;
}

/**
 * Returns the boot output of Red Hat Enterprise Linux CoreOS: kernel, Ignition report and login prompt. Source:
 * console-login-helper-messages.
 */
function coreOsBoot(
  record: ResourceRecord,
  { release, openShift }: CoreOsRelease,
  time: string,
  isFirst: boolean,
): string {
  const at = time
    .replace("T", " ")
    .replaceAll("-", "/")
    .replace(/(\.\d+)?Z$/, " UTC");
  return [
    ...kernelLines({ release, openShift }, time),
    ...(isFirst
      ? [
          "[    7.412000] ignition[764]: Stage: files",
          "[    8.105000] systemd[1]: Finished Ignition (files).",
        ]
      : []),
    "[    9.000000] systemd[1]: Reached target Multi-User System.",
    "",
    `Red Hat Enterprise Linux CoreOS ${release}`,
    `  Part of OpenShift ${openShift}, RHCOS is a Kubernetes-native operating system`,
    "  managed by the Machine Config Operator (`clusteroperator/machine-config`).",
    "",
    `Ignition: ran on ${at}${isFirst ? " (this boot)" : ""}`,
    "Ignition: user-provided config was applied",
    `SSH host key: ${sshHostKeyOf(record).fingerprint} (ECDSA)`,
    `${record.name} login: `,
    "",
  ].join("\n");
}

interface CoreOsRelease {
  /** CoreOS version, for example `419.96.20250523-0`. */
  readonly release: string;
  /** OpenShift version, for example `4.19`. */
  readonly openShift: string;
}

/** Parses the release from an OpenShift marketplace image: SKU `aro_419`, version `419.6.20250523`. */
function coreOsRelease(image: JsonValue | undefined): CoreOsRelease | undefined {
  if (String(at(image, "publisher")).toLowerCase() !== "azureopenshift") return undefined;
  const minor = /(?:aro_)?4(\d{2})/.exec(`${at(image, "sku")}`)?.[1] ?? "19";
  const built = /(20\d{6})/.exec(`${at(image, "version")}`)?.[1] ?? "20250523";
  return { release: `4${minor}.96.${built}-0`, openShift: `4.${minor}` };
}
