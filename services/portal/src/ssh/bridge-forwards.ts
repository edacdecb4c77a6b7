import type { Channel, Client, Connection } from "ssh2";

export interface ForwardDeps {
  readonly log: (event: string) => void;
  /** Returns true if no further connections may be forwarded. */
  readonly isDraining: () => boolean;
  /** Called for each chunk of forwarded data. */
  readonly active: () => void;
}

/**
 * Forwards TCP connections that the client or the master requests. A client's connection goes through the master to its target. A
 * master's connection goes to the client.
 */
export function bridgeForwards(
  front: Connection,
  ready: Promise<Client>,
  { log, isDraining, active }: ForwardDeps,
): void {
  const joined = (one: Channel, other: Channel) => {
    for (const each of [one, other]) each.on("data", active);
    joinBytes(one, other);
  };
  front.on("tcpip", (accept, reject, { srcIP, srcPort, destIP, destPort }) => {
    if (isDraining()) {
      reject();
      return;
    }
    log("direct-tcpip");
    ready.then(
      (master) =>
        master.forwardOut(srcIP, srcPort, destIP, destPort, (error, back) => {
          if (error) reject();
          else joined(accept(), back);
        }),
      () => reject(),
    );
  });
  front.on("openssh.streamlocal", (accept, reject, { socketPath }) => {
    if (isDraining()) {
      reject();
      return;
    }
    log("direct-streamlocal");
    ready.then(
      (master) =>
        master.openssh_forwardOutStreamLocal(socketPath, (error, back) => {
          if (error) reject();
          else joined(accept(), back);
        }),
      () => reject(),
    );
  });
  front.on("request", (accept, reject, name, info) => {
    const done = (error: Error | null | undefined, port?: number) => {
      if (error) reject?.();
      else accept?.(port);
    };
    ready.then(
      (master) => {
        const path =
          "socketPath" in info && typeof info.socketPath === "string" ? info.socketPath : undefined;
        // At run time, the library passes four kinds of requests, but its types include only two of them.
        const asked: string = name;
        if (asked === "tcpip-forward") master.forwardIn(info.bindAddr, info.bindPort, done);
        else if (asked === "cancel-tcpip-forward") master.unforwardIn(info.bindAddr, info.bindPort, done);
        else if (asked === "streamlocal-forward@openssh.com" && path !== undefined)
          master.openssh_forwardInStreamLocal(path, done);
        else if (asked === "cancel-streamlocal-forward@openssh.com" && path !== undefined)
          master.openssh_unforwardInStreamLocal(path, done);
        else reject?.();
      },
      () => reject?.(),
    );
  });
  ready.then(
    (master) => {
      master.on("tcp connection", ({ destIP, destPort, srcIP, srcPort }, accept, reject) => {
        log("forwarded-tcpip");
        front.forwardOut(destIP, destPort, srcIP, srcPort, (error, channel) => {
          if (error) reject();
          else joined(channel, accept());
        });
      });
      master.on("unix connection", ({ socketPath }, accept, reject) => {
        log("forwarded-streamlocal");
        front.openssh_forwardOutStreamLocal(socketPath, (error, channel) => {
          if (error) reject();
          else joined(channel, accept());
        });
      });
    },
    () => undefined,
  );
}

function joinBytes(front: Channel, back: Channel): void {
  front.on("error", () => undefined);
  back.on("error", () => undefined);
  front.pipe(back);
  back.pipe(front);
  back.once("close", () => front.close());
  front.once("close", () => back.close());
}
