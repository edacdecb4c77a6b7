import { networkInterfaces } from "node:os";
import { BalancedPort } from "./machines/balanced-port.ts";

/**
 * Forwards connections from other machines to the components, which listen only on the loopback address. Listens on each address
 * with the port of the component. Default addresses: all addresses of the network interfaces, except loopback and link-local
 * addresses.
 */
export async function publishPorts(
  ports: readonly number[],
  addresses: readonly string[] = externalAddresses(),
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  for (const address of addresses)
    for (const port of ports) stack.use(await BalancedPort.open(port, () => [port], address));
  return stack.move();
}

function externalAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"))
    .map(({ address }) => address);
}
