/** Container options of a systemd unit of `keelson deploy`. */
export interface UnitCommand {
  readonly user: number;
  readonly group: number;
  /** Capabilities without the prefix `CAP_`, for example `NET_BIND_SERVICE`. The container has no others. */
  readonly capabilities: readonly string[];
  readonly volumes: readonly Volume[];
  /** Paths with an empty directory in memory. */
  readonly tmpfs: readonly string[];
  /** Variables in the form `NAME=value`. */
  readonly environment: readonly string[];
  /** Arguments of the program, after the image. */
  readonly args: readonly string[];
}

export interface Volume {
  readonly source: string;
  readonly path: string;
  readonly readOnly: boolean;
}

/** Flags of each unit, which a runner without podman must implement. */
const requiredFlags = ["--read-only"];
/** Options with a fixed value, which a runner without podman must implement. */
const requiredValues: Readonly<Record<string, string>> = {
  "--network": "host",
  "--cap-drop": "all",
  "--security-opt": "no-new-privileges",
};
const ignoredFlags = ["--rm", "--replace"];

/**
 * Parses the command of a systemd unit: `/usr/bin/podman run OPTIONS IMAGE ARGUMENTS`.
 * @throws Error if the command has an unknown option, or lacks an option that restricts the container
 */
export function parseUnitCommand(command: string): UnitCommand {
  const [, , ...words] = command.split(/\s+/);
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  while (words[0]?.startsWith("--")) {
    const name = words.shift() ?? "";
    if (ignoredFlags.includes(name) || requiredFlags.includes(name)) flags.add(name);
    else values.set(name, [...(values.get(name) ?? []), words.shift() ?? ""]);
  }
  const take = (name: string) => {
    const found = values.get(name) ?? [];
    values.delete(name);
    return found;
  };
  for (const name of requiredFlags)
    if (!flags.has(name)) throw new Error(`the unit's command has no option ${name}: ${command}`);
  for (const [name, value] of Object.entries(requiredValues))
    if (take(name).join() !== value)
      throw new Error(`the unit's command has no option ${name} ${value}: ${command}`);
  take("--name");
  const [user, group] = take("--user").join().split(":").map(Number);
  if (!user || !group) throw new Error(`the unit's command has no option --user UID:GID: ${command}`);
  const parsed = {
    user,
    group,
    capabilities: take("--cap-add"),
    volumes: take("--volume").map(parseVolume),
    tmpfs: take("--tmpfs"),
    environment: take("--env"),
    args: words.slice(1),
  };
  if (values.size > 0) throw new Error(`unknown options ${[...values.keys()].join(", ")}: ${command}`);
  return parsed;
}

function parseVolume(value: string): Volume {
  const [source = "", path = "", options = ""] = value.split(":");
  if (options !== "" && options !== "ro") throw new Error(`unknown options of the volume ${value}`);
  return { source, path, readOnly: options === "ro" };
}
