import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import ssh2, { type ClientChannel, type ParsedKey } from "ssh2";
import type { CommandIo, ShellCommand } from "../kubelet/containers/command.ts";
import type { ForwardedAgent } from "./forwarded-agent.ts";

/** Returns the shell commands that need the client's SSH agent or the cluster's network. */
export function sshCommands(
  agent: ForwardedAgent | undefined,
  neighbour: (address: string, port: number) => Duplex | undefined,
): Readonly<Record<string, ShellCommand>> {
  return {
    "ssh-add": (io) => sshAdd(io, agent),
    ssh: (io) => ssh(io, agent, neighbour),
  };
}

const listings: Readonly<Record<string, (key: ParsedKey) => string>> = {
  "-l": (key) => `${bitsOf(key)} ${fingerprintOf(key)} ${key.comment || "core"} (${nameOf(key)})`,
  "-L": (key) => `${key.type} ${key.getPublicSSH().toString("base64")} ${key.comment || "core"}`,
};

async function sshAdd(
  { args, stdout, stderr }: CommandIo,
  agent: ForwardedAgent | undefined,
): Promise<number> {
  const show = listings[args[0] ?? ""];
  if (!agent) {
    await stderr("Could not open a connection to your authentication agent.\n");
    return 2;
  }
  if (!show) {
    await stderr("ssh-add: only -l and -L are here\n");
    return 1;
  }
  const keys = await agent.identities();
  if (keys.length === 0) await stdout("The agent has no identities.\n");
  for (const key of keys) await stdout(`${show(key)}\n`);
  return keys.length === 0 ? 1 : 0;
}

const withValue = new Set(["-o", "-p", "-i", "-l", "-F", "-J"]);

/** `ssh [options] [user@]host [command]`: connects to a different node of the cluster. */
async function ssh(
  { args, stdin, stdout, stderr, signal }: CommandIo,
  agent: ForwardedAgent | undefined,
  neighbour: (address: string, port: number) => Duplex | undefined,
): Promise<number> {
  let at = 0;
  while (args[at]?.startsWith("-")) at += withValue.has(args[at] ?? "") ? 2 : 1;
  const [user = "core", host] = (args[at] ?? "").includes("@")
    ? (args[at] ?? "").split("@")
    : ["core", args[at]];
  if (!host) {
    await stderr("usage: ssh [options] [user@]host [command]\n");
    return 255;
  }
  const socket = neighbour(host, 22);
  if (!socket) {
    await stderr(`ssh: connect to host ${host} port 22: No route to host\n`);
    return 255;
  }
  if (!agent) {
    socket.destroy();
    await stderr(`${user}@${host}: Permission denied (publickey).\n`);
    return 255;
  }
  const client = new ssh2.Client();
  const abort = () => client.destroy();
  signal.addEventListener("abort", abort, { once: true });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  client.on("error", () => reject(new Error(`${user}@${host}: Permission denied (publickey).`)));
  client.once("close", () => resolve(255));
  client.once("ready", () => {
    const done = (error: Error | undefined, channel: ClientChannel) => {
      if (error) {
        reject(error);
        return;
      }
      let code = 255;
      channel.on("exit", (exit: number | null) => {
        code = exit ?? 255;
      });
      channel.once("close", () => resolve(code));
      channel.on("data", (bytes: Buffer) => void stdout(bytes));
      channel.stderr.on("data", (bytes: Buffer) => void stderr(bytes));
      stdin.pipe(channel);
    };
    const command = args.slice(at + 1).join(" ");
    if (command === "") client.shell(false, done);
    else client.exec(command, done);
  });
  client.connect({ sock: socket, username: user, agent, agentForward: true, authHandler: ["agent"] });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    stdin.unpipe();
    client.end();
  }
}

function fingerprintOf(key: ParsedKey): string {
  return `SHA256:${createHash("sha256").update(key.getPublicSSH()).digest("base64").replace(/=+$/, "")}`;
}

function nameOf({ type }: ParsedKey): string {
  return type === "ssh-rsa" ? "RSA" : type.startsWith("ecdsa") ? "ECDSA" : "ED25519";
}

/** Returns the key length in bits. For RSA keys, this is the length of the modulus, the last part of the public key. */
function bitsOf(key: ParsedKey): number {
  if (key.type !== "ssh-rsa") return 256;
  const blob = key.getPublicSSH();
  let at = 0;
  let last: Uint8Array = new Uint8Array();
  while (at < blob.length) {
    const length = blob.readUInt32BE(at);
    last = blob.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return (last[0] === 0 ? last.length - 1 : last.length) * 8;
}
