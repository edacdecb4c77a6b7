/** Where a machine keeps its settings, and the files it makes from them. */
export const settingsDirectory = "/etc/keelson";
export const settingsFile = `${settingsDirectory}/host.json`;
export const runDirectory = "/run/keelson";

/** The image's user, and its group. */
const user = "65532:65532";

/** Stops all parts of the service at once. */
export const target = "keelson.target";

/** The service drains for at most 140 seconds; then its container is ended. */
const stopSeconds = 200;

export interface UnitFile {
  readonly name: string;
  readonly content: string;
}

/** A part of the service: a program in a container, on the machine's own network. */
export interface Part {
  readonly name: string;
  readonly description: string;
  readonly args: readonly string[];
  /** It reads files of the settings' directory, which were made with the machine. */
  readonly readsSettings?: boolean;
}

/** The resource provider's parts, with the ports of their metrics; the API listens on 443, the portal where its settings say. */
export function rpParts(logLevel: string, hasPortal: boolean): readonly Part[] {
  const config = ["--config", `${runDirectory}/service.json`, "--log-level", logLevel];
  return [
    { name: "keelson-rp", description: "resource provider", args: ["rp", ...config] },
    {
      name: "keelson-mimo-actuator",
      description: "planned maintenance: actuator",
      args: ["maintenance", "actuator", ...config, "--metrics-port", "445"],
    },
    {
      name: "keelson-mimo-scheduler",
      description: "planned maintenance: scheduler",
      args: ["maintenance", "scheduler", ...config, "--metrics-port", "446"],
    },
    {
      name: "keelson-monitor",
      description: "health of clusters",
      args: ["monitor", ...config, "--metrics-port", "447"],
    },
    ...(hasPortal
      ? [
          {
            name: "keelson-portal",
            description: "portal",
            args: ["portal", ...config, "--metrics-port", "448"],
          },
        ]
      : []),
  ];
}

/** The gateway, which has its configuration from the machine's creation on. */
export function gatewayPart(configFile: string, logLevel: string): Part {
  return {
    name: "keelson-gateway",
    description: "gateway",
    args: ["gateway", "--config", configFile, "--log-level", logLevel],
    readsSettings: true,
  };
}

/** The units of a machine: its configuration first, then its parts. */
export function unitFiles(image: string, parts: readonly Part[], withSettings: boolean): readonly UnitFile[] {
  const names = parts.map(({ name }) => `${name}.service`).join(" ");
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
    ...(withSettings ? settingsUnits(image) : []),
    ...parts.map((part) => partUnit(image, part, withSettings)),
  ];
}

/** Once at the start, then every hour, so that certificates which are renewed in the vault arrive. */
function settingsUnits(image: string): readonly UnitFile[] {
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
        `ExecStartPre=/usr/bin/chown ${user} ${runDirectory}`,
        `ExecStart=${run("keelson-host", image, [`--volume ${settingsFile}:${settingsFile}:ro`, `--volume ${runDirectory}:${runDirectory}`])} host-config --settings ${settingsFile} --directory ${runDirectory}`,
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

function partUnit(
  image: string,
  { name, description, args, readsSettings = false }: Part,
  withSettings: boolean,
): UnitFile {
  const before = withSettings ? "keelson-host.service" : "network-online.target";
  const mounts = [
    ...(withSettings ? [`--volume ${runDirectory}:${runDirectory}`] : []),
    ...(readsSettings ? [`--volume ${settingsDirectory}:${settingsDirectory}:ro`] : []),
  ];
  return {
    name: `${name}.service`,
    content: lines(
      "[Unit]",
      `Description=Keelson: ${description}`,
      `Wants=${before}`,
      `After=${before}`,
      `PartOf=${target}`,
      "StartLimitIntervalSec=0",
      "",
      "[Service]",
      ...(withSettings ? [] : ["ExecStartPre=/usr/local/sbin/keelson-registry-login"]),
      `ExecStart=${run(name, image, mounts)} ${args.join(" ")}`.trimEnd(),
      `ExecStop=/usr/bin/podman stop --ignore --time ${stopSeconds} ${name}`,
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

function run(name: string, image: string, mounts: readonly string[]): string {
  const options = [
    "--rm",
    "--replace",
    `--name ${name}`,
    "--network host",
    `--user ${user}`,
    // Ports below 1024 are on the machine's own network.
    "--cap-drop all",
    "--cap-add NET_BIND_SERVICE",
    "--security-opt no-new-privileges",
    "--read-only",
    "--tmpfs /tmp",
    ...mounts,
  ];
  return `/usr/bin/podman run ${options.join(" ")} ${image}`;
}

function lines(...all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
