import { existsSync } from "node:fs";
import { join } from "node:path";
import { reserveFreePort, reservePort } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { writeFileAtomically } from "./atomic-file.ts";
import { readStateFile } from "./state-file.ts";

export const portNames = [
  "rp",
  "azure",
  "clusters",
  "metrics",
  "admin",
  "proxy",
  "dns",
  "portal",
  "ssh",
  "console",
] as const;
export type PortName = (typeof portNames)[number];
export type Ports = Readonly<Record<PortName, number>>;

export const defaultPorts: Ports = {
  rp: 8443,
  azure: 8444,
  clusters: 6443,
  metrics: 9402,
  admin: 9403,
  proxy: 8446,
  dns: 8447,
  portal: 8445,
  ssh: 2222,
  console: 8448,
};

const owners: Readonly<Record<PortName, string>> = {
  rp: "the resource provider",
  azure: "the simulated Azure",
  clusters: "the clusters' API server",
  metrics: "metrics",
  admin: "the simulated world's administration",
  proxy: "the proxy to the simulated Azure",
  dns: "the simulated Azure's DNS server",
  portal: "the portal",
  ssh: "the portal's SSH server",
  console: "the console of the simulated world",
};

/**
 * Port settings from the command line. `auto`: use free ports instead of the default ports. `asked`: ports that the user chose.
 */
export interface PortChoice {
  readonly auto: boolean;
  readonly asked: Readonly<Partial<Record<PortName, number>>>;
}

/** Returns the ports of the last start. @throws StateUnreadable */
export function rememberedPorts(directory: string): Partial<Ports> {
  const path = join(directory, "ports.json");
  return existsSync(path) ? readPorts(path) : {};
}

/** Returns all ports of a state directory. @throws StateUnreadable if a port is missing */
export function requirePorts(directory: string): Ports {
  const ports = rememberedPorts(directory);
  const missing = portNames.filter((name) => ports[name] === undefined);
  if (missing.length === 0) return { ...defaultPorts, ...ports };
  throw cliErrors.StateUnreadable(
    `ports.json in ${directory} has no port for ${missing.join(", ")}. Start again with \`keelson up\``,
  );
}

/**
 * Ports of the simulated world. All other ports belong to roles of the service, which can already be running when a world starts
 * separately.
 */
export const worldPortNames: readonly PortName[] = ["azure", "clusters", "admin", "proxy", "dns"];

/**
 * Chooses the ports of a state directory. A requested port takes precedence over the port of the last start, which kubeconfigs
 * contain. If neither exists, the default port is used, or a free port with `auto`. Only ports in `listening` must be free.
 * @throws StateUnreadable; PortTaken naming the port, its purpose and the flag for a different port
 */
export async function choosePorts(
  directory: string,
  choice: PortChoice,
  listening: readonly PortName[] = portNames,
): Promise<Ports> {
  const path = join(directory, "ports.json");
  const remembered = rememberedPorts(directory);
  const chosen: Record<PortName, number> = { ...defaultPorts };
  // Keeps all chosen ports reserved until the last port is chosen, so that no port is chosen twice.
  await using held = new AsyncDisposableStack();
  for (const name of portNames) {
    const wanted = choice.asked[name] ?? remembered[name] ?? (choice.auto ? undefined : defaultPorts[name]);
    if (wanted && !listening.includes(name)) {
      chosen[name] = wanted;
      continue;
    }
    const reservation = wanted ? await reservePort(wanted) : await reserveFreePort();
    if (!reservation) {
      throw cliErrors.PortTaken(
        `port ${wanted}, for ${owners[name]}, is in use: stop what uses it, or choose another with --${name}-port N` +
          (remembered[name] === undefined ? ", or let --ports auto take free ones" : ""),
      );
    }
    chosen[name] = held.use(reservation).port;
  }
  writeFileAtomically(path, `${JSON.stringify(chosen)}\n`, 0o644);
  return chosen;
}

function readPorts(path: string): Partial<Ports> {
  const remedy = "remove it to select new ports. Existing kubeconfigs of clusters then have the wrong port";
  const ports = readStateFile<Partial<Ports>>(path, [], remedy);
  for (const [name, port] of Object.entries(ports)) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw cliErrors.StateUnreadable(`${path} cannot be used (${name} is no port): ${remedy}`);
    }
  }
  return ports;
}
