import { once } from "node:events";
import process from "node:process";
import { spawnBound } from "@keelson/base";

/** Last argument of the process inside of the namespace. */
export const inside = "--in-network-namespace";

/** Addresses of private endpoints in the simulated Azure. */
const privateEndpoints = "10.128.0.0/16";

/**
 * Continues in a network namespace that owns the addresses of private endpoints: outside programs connect to them. Outside of it, runs
 * this script again and exits with its code.
 * @throws Error if this process may not create a network namespace, or without iproute2
 */
export async function enterNetworkNamespace(args: readonly string[]): Promise<void> {
  if (args.at(-1) === inside) return;
  const setup = [
    "set -e",
    "ip link set lo up",
    `ip route add local ${privateEndpoints} dev lo`,
    // The namespace lasts as long as this process.
    'exec "$@"',
  ].join("\n");
  const asRoot = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const command = [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args, inside];
  const child = spawnBound("unshare", [...asRoot, "--net", "--", "/bin/sh", "-c", setup, "sh", ...command], {
    stdio: "inherit",
  });
  // The terminal sends SIGINT to both.
  process.on("SIGINT", () => undefined);
  process.once("SIGTERM", () => child.kill("SIGTERM"));
  const [code] = await once(child, "exit");
  process.exit(code ?? 1);
}
