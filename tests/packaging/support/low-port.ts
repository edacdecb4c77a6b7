import { reservePort } from "@keelson/base";

/** Returns a free privileged port. Only root or a process with the capability CAP_NET_BIND_SERVICE may listen on this port. */
export async function lowPort(): Promise<number> {
  for (let port = 443; port < 1_024; port++) {
    const reservation = await reservePort(port);
    if (!reservation) continue;
    await reservation[Symbol.asyncDispose]();
    return port;
  }
  throw new Error("no port below 1024 is free");
}
