/** Directory of a machine's settings, which are written when the machine is created. */
export const settingsDirectory = "/etc/keelson";
export const settingsFile = `${settingsDirectory}/host.json`;
export const runDirectory = "/run/keelson";

/**
 * User and group ID of the image. On machines that read secrets from a key vault, this user reads them and writes the files of
 * all components.
 */
export const imageUser = 65_532;

/** Component of the service: a program in a container on the host network. */
export interface Part {
  /** Component name. Unit and container are named `keelson-NAME`. */
  readonly name: PartName | "gateway";
  readonly description: string;
  readonly args: readonly string[];
  /** True if the component reads files of the settings directory, which are written when the machine is created. */
  readonly readsSettings?: boolean;
}

/** User IDs of the components. systemd does not use the IDs from 65520 to 65533. */
const partUsers = {
  rp: 65_521,
  "mimo-actuator": 65_522,
  "mimo-scheduler": 65_523,
  monitor: 65_524,
  portal: 65_525,
} as const;

/** Component with its own settings and user. */
export type PartName = keyof typeof partUsers;

/** Returns the components of a resource provider machine. */
export function partNames(hasPortal: boolean): readonly PartName[] {
  const names = ["rp", "mimo-actuator", "mimo-scheduler", "monitor"] as const;
  return hasPortal ? [...names, "portal"] : names;
}

/** Returns the directory with a component's settings and secrets. Only this component can read it. */
export function partDirectory(name: PartName): string {
  return `${runDirectory}/${name}`;
}

export function unitName({ name }: Pick<Part, "name">): string {
  return `keelson-${name}.service`;
}

function part(
  name: PartName,
  description: string,
  command: string,
  logLevel: string,
  flags: string[] = [],
): Part {
  const config = ["--config", `${partDirectory(name)}/service.json`, "--log-level", logLevel];
  return { name, description, args: [...command.split(" "), ...config, ...flags] };
}

/** Returns the components of a resource provider machine with their metrics ports. All other ports are in the settings. */
export function rpParts(logLevel: string, hasPortal: boolean): readonly Part[] {
  const metrics = (port: number) => ["--metrics-port", String(port)];
  return [
    part("rp", "resource provider", "rp", logLevel),
    part("mimo-actuator", "planned maintenance: actuator", "maintenance actuator", logLevel, metrics(445)),
    part("mimo-scheduler", "planned maintenance: scheduler", "maintenance scheduler", logLevel, metrics(446)),
    part("monitor", "health of clusters", "monitor", logLevel, metrics(447)),
    ...(hasPortal ? [part("portal", "portal", "portal", logLevel, metrics(448))] : []),
  ];
}

/** Returns the gateway component. Its configuration is written when the machine is created. */
export function gatewayPart(configFile: string, logLevel: string): Part {
  return {
    name: "gateway",
    description: "gateway",
    args: ["gateway", "--config", configFile, "--log-level", logLevel],
    readsSettings: true,
  };
}

/**
 * Returns the user ID of a component. The gateway runs as a user with access to IMDS, because the gateway needs the machine's
 * identity.
 */
export function userOf({ name }: Part): number {
  return name === "gateway" ? imageUser : partUsers[name];
}
