import { frugalMalloc } from "@keelson/base";
import { metadataRuleFile } from "./metadata-rule.ts";
import {
  imageUser,
  type Part,
  runDirectory,
  settingsDirectory,
  settingsFile,
  unitName,
  userOf,
} from "./parts.ts";

/** systemd target that stops all components of the service together. */
export const target = "keelson.target";

/** Stop timeout of a container in seconds. It exceeds the service's drain time of at most 140 seconds. */
const stopSeconds = 200;

export interface UnitFile {
  readonly name: string;
  readonly content: string;
}

/** Returns the systemd units of a machine: metadata service rule, configuration and components. */
export function unitFiles(image: string, parts: readonly Part[], withSettings: boolean): readonly UnitFile[] {
  const names = parts.map(unitName).join(" ");
  return [
    {
      name: target,
      content: lines(
        "[Unit]",
        "Description=Keelson",
        `Wants=${names}`,
        "",
        "[Install]",
        "WantedBy=multi-user.target",
      ),
    },
    metadataUnit,
    ...(withSettings ? settingsUnits(image, parts) : []),
    ...parts.map((part) => partUnit(image, part, withSettings)),
  ];
}

/** Unit that loads the metadata service rule. Components start only after this unit has succeeded. */
const metadataUnit: UnitFile = {
  name: "keelson-metadata.service",
  content: lines(
    "[Unit]",
    "Description=Keelson: access to the metadata service",
    "",
    "[Service]",
    "Type=oneshot",
    "RemainAfterExit=yes",
    `ExecStart=/usr/sbin/nft --file ${metadataRuleFile}`,
  ),
};

/**
 * Returns the units that write the components' files. The units run at boot and every hour, so that components receive renewed
 * certificates.
 */
function settingsUnits(image: string, parts: readonly Part[]): readonly UnitFile[] {
  return [
    {
      name: "keelson-host.service",
      content: lines(
        "[Unit]",
        "Description=Keelson: configuration and secrets",
        "Wants=network-online.target",
        "After=network-online.target",
        "",
        "[Service]",
        "Type=oneshot",
        "Restart=on-failure",
        "RestartSec=10",
        "ExecStartPre=/usr/local/sbin/keelson-registry-login",
        `ExecStartPre=/usr/bin/chown ${imageUser}:${imageUser} ${runDirectory}`,
        // Files inherit the group of their directory, so that each component can read only its own files.
        ...parts.map(
          (part) =>
            `ExecStartPre=/usr/bin/install --directory --mode 2750 --owner ${imageUser} --group ${userOf(part)} ${runDirectory}/${part.name}`,
        ),
        `ExecStart=${run("keelson-host", imageUser, image, [`--volume ${settingsFile}:${settingsFile}:ro`, `--volume ${runDirectory}:${runDirectory}`])} host-config --settings ${settingsFile} --directory ${runDirectory}`,
        "RuntimeDirectory=keelson",
        "RuntimeDirectoryMode=0700",
        "RuntimeDirectoryPreserve=yes",
      ),
    },
    {
      name: "keelson-host.timer",
      content: lines(
        "[Unit]",
        "Description=Keelson: configuration and secrets, every hour",
        "",
        "[Timer]",
        "OnActiveSec=1h",
        "OnUnitActiveSec=1h",
        "RandomizedDelaySec=10m",
        "",
        "[Install]",
        "WantedBy=timers.target",
      ),
    },
  ];
}

/** Components that serve few requests. For these components, low memory usage matters more than fast allocation. */
const mostlyIdle: ReadonlySet<Part["name"]> = new Set([
  "mimo-actuator",
  "mimo-scheduler",
  "monitor",
  "portal",
]);

function partUnit(image: string, part: Part, withSettings: boolean): UnitFile {
  const { name, description, args, readsSettings = false } = part;
  const before = withSettings ? "keelson-host.service" : "network-online.target";
  const directory = `${runDirectory}/${name}`;
  const container = `keelson-${name}`;
  const options = [
    ...(withSettings ? [`--volume ${directory}:${directory}:ro`] : []),
    ...(readsSettings ? [`--volume ${settingsDirectory}:${settingsDirectory}:ro`] : []),
    ...(mostlyIdle.has(name)
      ? Object.entries(frugalMalloc).map(([key, value]) => `--env ${key}=${value}`)
      : []),
  ];
  return {
    name: unitName(part),
    content: lines(
      "[Unit]",
      `Description=Keelson: ${description}`,
      `Wants=${before}`,
      `Requires=${metadataUnit.name}`,
      `After=${before} ${metadataUnit.name}`,
      `PartOf=${target}`,
      "StartLimitIntervalSec=0",
      "",
      "[Service]",
      ...(withSettings ? [] : ["ExecStartPre=/usr/local/sbin/keelson-registry-login"]),
      `ExecStart=${run(container, userOf(part), image, options)} ${args.join(" ")}`.trimEnd(),
      `ExecStop=/usr/bin/podman stop --ignore --time ${stopSeconds} ${container}`,
      `TimeoutStopSec=${stopSeconds + 20}`,
      "TimeoutStartSec=600",
      "Restart=always",
      "RestartSec=5",
      "",
      "[Install]",
      `WantedBy=${target}`,
    ),
  };
}

function run(name: string, user: number, image: string, more: readonly string[]): string {
  const options = [
    "--rm",
    "--replace",
    `--name ${name}`,
    "--network host",
    `--user ${user}:${user}`,
    // Components listen on ports below 1024 of the host network, which requires the capability NET_BIND_SERVICE.
    "--cap-drop all",
    "--cap-add NET_BIND_SERVICE",
    "--security-opt no-new-privileges",
    "--read-only",
    "--tmpfs /tmp",
    ...more,
  ];
  return `/usr/bin/podman run ${options.join(" ")} ${image}`;
}

function lines(...all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
