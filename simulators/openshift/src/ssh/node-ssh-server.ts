import { type Duplex, PassThrough } from "node:stream";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import ssh2, { type AuthContext, type Connection, type ServerChannel, type Session } from "ssh2";
import { ContainerFiles } from "../kubelet/containers/container-files.ts";
import { terminal } from "../kubelet/runs/terminal.ts";
import { Shell } from "../kubelet/shell/shell.ts";
import { writerTo } from "../kubelet/shell/streams.ts";
import { ForwardedAgent } from "./forwarded-agent.ts";
import { sshCommands } from "./ssh-commands.ts";

export interface NodeSshDeps {
  readonly node: string;
  /** Private SSH host key in PEM. */
  readonly hostKey: string;
  /** Directory of the node's file system. */
  readonly directory: string;
  /** Returns the `authorized_keys` lines of the user `core`. */
  authorizedKeys(): Promise<readonly string[]>;
  /** Connects to a different node of the cluster. `undefined` if no server listens on the port. */
  neighbour(address: string, port: number): Duplex | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Serves one SSH connection to a node with the user `core`, public key authentication and the built-in shell. */
export function serveNodeSsh(socket: Duplex, deps: NodeSshDeps): void {
  const server = new ssh2.Server({ hostKeys: [deps.hostKey], ident: "OpenSSH_9.9" }, (connection) => {
    connection.on("error", (error: Error) =>
      deps.logger.debug({ error: error.message }, "SSH to a node broke"),
    );
    connection.on("authentication", (context) => {
      authenticate(context, deps).catch((error: unknown) => {
        deps.logger.warn({ error: messageOf(error) }, "a key could not be checked");
        context.reject();
      });
    });
    connection.on("ready", () => serveSessions(connection, deps));
  });
  // ssh2 uses only the stream methods of the socket.
  Reflect.apply(server.injectSocket, server, [socket]);
}

async function authenticate(context: AuthContext, { authorizedKeys }: NodeSshDeps): Promise<void> {
  if (context.method !== "publickey" || context.username !== "core") {
    context.reject(["publickey"]);
    return;
  }
  const { key, signature, blob, hashAlgo } = context;
  for (const line of await authorizedKeys()) {
    const known = ssh2.utils.parseKey(line);
    if (known instanceof Error || !known.getPublicSSH().equals(key.data)) continue;
    if (!signature || (blob && known.verify(blob, signature, hashAlgo) === true)) {
      context.accept();
      return;
    }
  }
  context.reject(["publickey"]);
}

function serveSessions(connection: Connection, deps: NodeSshDeps): void {
  // Like in OpenSSH, all later sessions of the connection can use a forwarded agent.
  const forwarded: Forwarded = { agent: undefined };
  connection.on("session", (accept) => serveSession(accept(), connection, forwarded, deps));
  connection.on("tcpip", (accept, reject, { destIP, destPort }) => {
    const neighbour = deps.neighbour(destIP, destPort);
    if (!neighbour) {
      reject();
      return;
    }
    const channel = accept();
    channel.on("error", () => neighbour.destroy());
    neighbour.on("error", () => channel.close());
    channel.pipe(neighbour).pipe(channel);
  });
}

function serveSession(
  session: Session,
  connection: Connection,
  forwarded: Forwarded,
  deps: NodeSshDeps,
): void {
  let isTerminal = false;
  const env: Record<string, string> = {};
  const interrupts = new Set<() => void>();
  session.on("pty", (accept) => {
    isTerminal = true;
    accept?.();
  });
  session.on("env", (accept, _reject, { key, val }) => {
    if (Object.keys(env).length < 64) env[key] = val;
    accept?.();
  });
  session.on("window-change", (accept) => accept?.());
  session.on("auth-agent", (accept) => {
    forwarded.agent = new ForwardedAgent(connection);
    // `accept` is undefined if the client requests no reply. The library's types wrongly declare that `accept` is always defined.
    if (typeof accept === "function") accept();
  });
  session.on("signal", (accept) => {
    for (const interrupt of interrupts) interrupt();
    accept?.();
  });
  const begin = (channel: ServerChannel, command: string | undefined) => {
    const run = { channel, connection, command, env, isTerminal, agent: forwarded.agent, interrupts };
    runShell(run, deps).catch((error: unknown) => {
      deps.logger.debug({ error: messageOf(error) }, "a session on a node broke");
      channel.close();
    });
  };
  session.on("shell", (accept) => begin(accept(), undefined));
  session.on("exec", (accept, _reject, { command }) => begin(accept(), command));
}

/** Maximum unread input in bytes. */
const maxUnread = 2 ** 20;

interface Forwarded {
  agent: ForwardedAgent | undefined;
}

interface ShellRun {
  readonly channel: ServerChannel;
  readonly connection: Connection;
  readonly command: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly isTerminal: boolean;
  readonly agent: ForwardedAgent | undefined;
  readonly interrupts: Set<() => void>;
}

async function runShell(
  { channel, connection, command, env, isTerminal, agent, interrupts }: ShellRun,
  { node, directory, clock, neighbour }: NodeSshDeps,
): Promise<void> {
  channel.on("error", () => undefined);
  const over = new AbortController();
  const hangUp = () => over.abort("SIGHUP");
  channel.once("close", hangUp);
  connection.once("close", hangUp);
  const interrupt = () => over.abort("SIGINT");
  interrupts.add(interrupt);
  const write = writerTo(channel);
  const line = isTerminal ? terminal(channel, write, interrupt) : undefined;
  const streams = {
    // The library reports the end of a channel only after all input has been read. A command may never read its input, so a
    // buffer reads the input instead.
    stdin: line?.stdin ?? channel.pipe(new PassThrough({ highWaterMark: maxUnread })),
    stdout: line?.output ?? write,
    stderr: line?.output ?? writerTo(channel.stderr),
  };
  const world = {
    files: new ContainerFiles(directory, []),
    clock,
    signal: over.signal,
    commands: sshCommands(agent, neighbour),
  };
  const home = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: "/var/home/core",
    USER: "core",
    HOSTNAME: node,
    ...(agent ? { SSH_AUTH_SOCK: "/tmp/ssh-agent/agent.1" } : {}),
  };
  const shell = new Shell(world, { ...env, ...home, PWD: "/" }, ["bash"]);
  try {
    const code =
      command === undefined
        ? await shell.interact(streams, isTerminal ? `[core@${node} ~]$ ` : undefined)
        : await shell.run(command, streams);
    channel.exit(code);
  } catch (error) {
    if (!over.signal.aborted) throw error;
    channel.exit(over.signal.reason === "SIGINT" ? 130 : 129);
  } finally {
    interrupts.delete(interrupt);
    connection.off("close", hangUp);
  }
  channel.end();
}
