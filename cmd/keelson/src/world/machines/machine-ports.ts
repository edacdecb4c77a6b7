import { isPlainObject } from "@keelson/base";

/** Changes to a command that allow several processes of the command to run on one host. */
interface Listening {
  /** Flags that select free ports. They override earlier flags and the configuration. */
  readonly flags: readonly string[];
  /** Maps each port of the machine to the field of the startup message that contains the chosen port. */
  readonly members: Readonly<Record<number, string>>;
}

const metrics = ["--metrics-port", "0"];

const commands: Readonly<Record<string, Listening>> = {
  rp: { flags: ["--port", "0", ...metrics], members: { 443: "rp" } },
  portal: { flags: ["--port", "0", "--ssh-port", "0", ...metrics], members: { 444: "https", 2222: "ssh" } },
  gateway: {
    flags: ["--connect-port", "0", "--tls-port", "0", ...metrics],
    members: { 80: "connect", 443: "tls" },
  },
  monitor: { flags: metrics, members: {} },
  maintenance: { flags: metrics, members: {} },
  "host-config": { flags: [], members: {} },
};

/** Returns flags that make a command listen on free ports. Returns `undefined` for commands that machines do not run. */
export function freePortFlags([command = ""]: readonly string[]): readonly string[] | undefined {
  return commands[command]?.flags;
}

/** Returns the local port that replaces a port of a machine. Returns undefined until the command has printed its ports. */
export function hostPort(
  [command = ""]: readonly string[],
  port: number,
  output: string,
): number | undefined {
  const member = commands[command]?.members[port];
  if (member === undefined) return undefined;
  for (const line of output.split("\n")) {
    const place = placeIn(line);
    const value = place?.[member];
    if (typeof value === "number") return value;
    if (typeof value === "string") return Number(new URL(value).port);
  }
  return undefined;
}

function placeIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
