import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Relays data of the first connection until a stage is reached, then resets the connection. `exchanges` is the number of messages
 * that each side sends before TLS.
 */
type Sabotage = (client: Socket, server: Socket, exchanges: number) => void;

/** Number of response bytes that the relay forwards before it resets the connection. */
const partialBytes = 20_000;

/** Functions that reset a connection, by the stage at which the reset occurs. */
export const stages = {
  "before ServerHello": (client, server, exchanges) => {
    server.on("data", (bytes) => client.write(bytes));
    onMessage(
      client,
      exchanges + 1,
      (bytes) => server.write(bytes),
      () => reset(client, server),
    );
  },
  // Node.js 24.16 to 24.21 have a bug: after a reset at this stage, the HTTP/2 client session reports neither an error nor a
  // close.
  "after the server's flight": (client, server, exchanges) => {
    client.on("data", (bytes) => server.write(bytes));
    onMessage(
      server,
      exchanges + 1,
      (bytes) => client.write(bytes),
      (bytes) => {
        client.write(bytes);
        reset(client, server);
      },
    );
  },
  "after the client's Finished": (client, server, exchanges) => {
    server.on("data", (bytes) => client.write(bytes));
    onMessage(
      client,
      exchanges + 2,
      (bytes) => server.write(bytes),
      (bytes) => {
        server.write(bytes);
        reset(client, server);
      },
    );
  },
  "in the middle of a response": (client, server) => {
    client.on("data", (bytes) => server.write(bytes));
    let received = 0;
    server.on("data", (bytes: Buffer) => {
      client.write(bytes);
      received += bytes.length;
      if (received > partialBytes) reset(client, server);
    });
  },
} satisfies Record<string, Sabotage>;

export type Stage = keyof typeof stages;

export interface ResettingRelay extends AsyncDisposable {
  readonly port: number;
  connections(): number;
}

/** Starts a TCP relay. It resets its first connection at `stage` and relays all later connections. */
export async function startResettingRelay(
  serverPort: number,
  stage: Stage,
  exchanges = 0,
): Promise<ResettingRelay> {
  const sockets: Socket[] = [];
  const relay = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    for (const each of [client, server]) each.on("error", () => undefined);
    const isFirst = sockets.length === 0;
    sockets.push(client, server);
    if (isFirst) stages[stage](client, server, exchanges);
    else client.pipe(server).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    port: (relay.address() as AddressInfo).port,
    connections: () => sockets.length / 2,
    async [Symbol.asyncDispose]() {
      const closed = once(relay, "close");
      relay.close();
      for (const each of sockets) each.destroy();
      await closed;
    },
  };
}

function onMessage(
  socket: Socket,
  number: number,
  earlier: (bytes: Buffer) => void,
  then: (bytes: Buffer) => void,
): void {
  let count = 0;
  socket.on("data", (bytes: Buffer) => {
    count++;
    if (count < number) earlier(bytes);
    else if (count === number) then(bytes);
  });
}

function reset(client: Socket, server: Socket): void {
  client.removeAllListeners("data").resetAndDestroy();
  server.removeAllListeners("data").destroy();
  // Blocks the event loop for 20 ms, so that the client in this process receives the last message before the reset.
  for (const end = performance.now() + 20; performance.now() < end; );
}
