import { reserveFreePort } from "../free-port.ts";

/** Returns distinct ports that were free at the time of the call. */
export async function freePorts(count: number): Promise<readonly number[]> {
  await using held = new AsyncDisposableStack();
  const ports: number[] = [];
  while (ports.length < count) ports.push(held.use(await reserveFreePort()).port);
  return ports;
}

/** Returns a port that was free at the time of the call. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
