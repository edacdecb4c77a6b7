/** Settings of a machine, written at its creation. */
export const settingsDirectory = "/etc/keelson";
export const settingsFile = `${settingsDirectory}/host.json`;
export const runDirectory = "/run/keelson";

/** User and group of the image. On machines with a vault it reads secrets and writes the files of all parts. */
export const imageUser = 65_532;

/** Part of the service: a program in a container, on the machine's network. */
export interface Part {
  /** Unit and container are named `keelson-NAME`. */
  readonly name: PartName | "gateway";
  readonly description: string;
  readonly args: readonly string[];
  /** True if it reads files of the settings directory, which exist since the machine's creation. */
  readonly readsSettings?: boolean;
}

/** Users of the parts. systemd leaves the IDs from 65520 to 65533 unused. */
const partUsers = {
  rp: 65_521,
  "mimo-actuator": 65_522,
  "mimo-scheduler": 65_523,
  monitor: 65_524,
  portal: 65_525,
} as const;

/** Part that has its own settings and user. */
export type PartName = keyof typeof partUsers;

/** Parts of a resource provider's machine. */
export function partNames(hasPortal: boolean): readonly PartName[] {
  const names = ["rp", "mimo-actuator", "mimo-scheduler", "monitor"] as const;
  return hasPortal ? [...names, "portal"] : names;
}

/** Returns the directory of a part's settings and secrets. Only this part can read it. */
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

/**
 * Returns the parts of the resource provider's machines, with their metrics ports. The settings contain the
 * other ports.
 */
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

/** Returns the gateway. Its configuration exists since the machine's creation. */
export function gatewayPart(configFile: string, logLevel: string): Part {
  return {
    name: "gateway",
    description: "gateway",
    args: ["gateway", "--config", configFile, "--log-level", logLevel],
    readsSettings: true,
  };
}

/**
 * Returns the user of a part. The gateway signs in as the machine, so it runs as the user with this right.
 */
export function userOf({ name }: Part): number {
  return name === "gateway" ? imageUser : partUsers[name];
}
