import { once } from "node:events";
import process from "node:process";
import { spawnBound } from "@keelson/base";

/** Last argument of the script if it already runs in the network namespace. */
export const inside = "--in-network-namespace";

/** Address range of private endpoints in the simulated Azure. */
const privateEndpoints = "10.128.0.0/16";

/**
 * Runs this script again in a new network namespace and exits with the script's exit code. If the script already runs in the
 * namespace, returns immediately. The namespace contains the addresses of private endpoints, so that external programs can
 * connect to them.
 * @throws Error if this process may not create a network namespace, or iproute2 is missing
 */
export async function enterNetworkNamespace(args: readonly string[]): Promise<void> {
  if (args.at(-1) === inside) return;
  const setup = [
    "set -e",
    "ip link set lo up",
    `ip route add local ${privateEndpoints} dev lo`,
    // The namespace exists until this process exits.
    'exec "$@"',
  ].join("\n");
  const asRoot = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const command = [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args, inside];
  const child = spawnBound("unshare", [...asRoot, "--net", "--", "/bin/sh", "-c", setup, "sh", ...command], {
    stdio: "inherit",
  });
  // Ignores SIGINT in this process, because the terminal also sends it to the child process.
  process.on("SIGINT", () => undefined);
  process.once("SIGTERM", () => child.kill("SIGTERM"));
  const [code] = await once(child, "exit");
  process.exit(code ?? 1);
}
