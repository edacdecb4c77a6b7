import { reservePort } from "@keelson/base";
import { readsField } from "@keelson/env";
import { furtherPorts } from "../state/cluster-processes.ts";
import { portNames, rememberedPorts } from "../state/ports.ts";
import { type Finding, failed, ok } from "./finding.ts";
import type { Installation } from "./installation.ts";
import { portOwner } from "./port-owner.ts";

const ownCommand = /(?:\bkeelson|cmd\/keelson\/src\/main\.[jt]s) [a-z]/;

/** Checks that each port of the installation is free, or used by the installation itself. */
export async function checkPorts({
  embedded,
  stateDirectory,
  config,
  role,
  holder,
}: Installation): Promise<readonly Finding[]> {
  const ports: readonly (readonly [string, number])[] = embedded
    ? [...Object.entries(rememberedPorts(stateDirectory)), ...furtherPorts(stateDirectory)]
    : [
        ...(role === undefined || readsField(role, "port") ? [["rp", config.port] as const] : []),
        ["metrics", config.metricsPort],
      ];
  const findings: Finding[] = [];
  for (const [name, port] of ports) {
    if (port === 0) continue;
    const check = `port ${port} (${name})`;
    const reservation = await reservePort(port);
    await reservation?.[Symbol.asyncDispose]();
    findings.push(reservation ? ok(check, "free") : taken(check, port, holder, embedded, name));
  }
  return findings;
}

function taken(
  check: string,
  port: number,
  holder: number | undefined,
  embedded: boolean,
  name: string,
): Finding {
  const owner = portOwner(port);
  const who = owner ? `process ${owner.pid} (${owner.name})` : "a process of another user";
  // The process that uses the state directory may use the port. On a production machine, a service process may use the port. A
  // command line that matches `ownCommand` belongs to a service process.
  const isOwn = owner ? owner.pid === holder || ownCommand.test(owner.command) : holder !== undefined;
  if (isOwn) return ok(check, `in use by ${who}`);
  const command = owner ? `ps -fp ${owner.pid}` : `ss -ltnp sport = :${port}`;
  return failed(check, `in use by ${who}`, `stop that process${alternative(name, embedded)}`, command);
}

/**
 * Returns the part of the remedy that names the setting for a different port. Empty for ports without a setting, for example the
 * ports of a second cluster process.
 */
function alternative(name: string, embedded: boolean): string {
  if (!embedded) return `, or set ${name === "rp" ? "port" : "metricsPort"} of the configuration`;
  return portNames.some((each) => each === name) ? `, or start with --${name}-port N` : "";
}
