import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { errors } from "../base/errors.ts";
import type { HypervisorEndpoint } from "./stream.ts";

const silenceMs = 30_000;

/**
 * Reports the boot problem of a machine to the simulated Azure. An undefined problem reports a successful boot.
 * @throws HypervisorUnavailable
 */
export async function reportBoot(
  { url, adminToken, caPem }: HypervisorEndpoint,
  id: string,
  problem: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const outgoing = request(new URL("/sim/virtualMachines/boots", url), {
    method: "POST",
    ca: caPem,
    headers: { authorization: `Bearer ${adminToken.reveal()}`, "content-type": "application/json" },
    timeout: silenceMs,
    agent: false,
    signal,
  });
  outgoing.on("timeout", () => outgoing.destroy(errors.HypervisorUnavailable("no response")));
  outgoing.end(JSON.stringify({ id, problem: problem ?? null }));
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  response.resume();
  if (response.statusCode !== 200)
    throw errors.HypervisorUnavailable(`the report of a boot got status ${response.statusCode}`);
}
