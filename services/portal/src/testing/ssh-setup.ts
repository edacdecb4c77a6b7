import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { type Clock, createLogger, Secret, silentLogger, systemClock } from "@keelson/base";
import { newCluster, openStore } from "@keelson/cluster/testing";
import type { ClusterProperties, ServiceDatabase, SshRecordingDocument } from "@keelson/model";
import type { SessionElevation } from "@keelson/portal-sessions";
import { connectionPair, serveNodeSsh } from "@keelson/sim-openshift/testing";
import ssh2, { type Client, type ClientChannel, type ConnectConfig } from "ssh2";
import { fingerprintOf } from "../ssh/host-key.ts";
import { type SshProxy, type SshProxyOptions, startSshProxy } from "../ssh/ssh-proxy.ts";
import { openSessionOn } from "./open-session-on.ts";
import { storeCluster } from "./store-cluster.ts";

const signal = AbortSignal.timeout(900_000);

/** Returns a host key of a type that can be generated quickly. */
const ecKey = () =>
  generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" },
  }).privateKey;

export function blobOf(privateKeyPem: string): Buffer {
  const key = ssh2.utils.parseKey(privateKeyPem);
  assert.ok(!(key instanceof Error));
  return key.getPublicSSH();
}

/** Test setup with a database, two nodes with SSH servers, and SSH proxies. */
export class SshSetup implements AsyncDisposable {
  readonly database: ServiceDatabase;
  readonly clusterKey = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  }).privateKey;
  /** Log lines of the proxies. `dialled` contains the addresses to which the proxies connected. */
  readonly lines: string[] = [];
  readonly dialled: string[] = [];
  /** Open connections from proxies to nodes. */
  readonly guests = new Set<Duplex>();
  readonly #hostKeys = { "master-1": ecKey(), "worker-0": ecKey() } as const;
  readonly #directory: string;
  /** Number of `sleep` calls in progress in the commands that run on the nodes. */
  sleeping = 0;
  readonly #nodeClock: Clock = {
    ...systemClock,
    sleep: async (ms, ended) => {
      this.sleeping++;
      await systemClock.sleep(ms, ended).finally(() => this.sleeping--);
    },
  };

  private constructor(database: ServiceDatabase, directory: string) {
    this.database = database;
    this.#directory = directory;
  }

  static async start(): Promise<SshSetup> {
    return new SshSetup(await openStore(), await mkdtemp(join(tmpdir(), "keelson-ssh-")));
  }

  /** Returns log lines as objects. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of lines
  logged(): any[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  startProxy(options: Partial<SshProxyOptions> = {}): Promise<SshProxy> {
    return startSshProxy({
      database: this.database,
      host: "127.0.0.1",
      port: 0,
      hostKey: new Secret(ecKey()),
      fips: true,
      dial: async (address, port) => {
        this.dialled.push(`${address}:${port}`);
        return this.#serveNode("master-1");
      },
      clock: systemClock,
      logger: createLogger({
        level: "info",
        destination: { write: (line: string) => void this.lines.push(line) },
      }),
      ...options,
    });
  }

  #serveNode(node: "master-1" | "worker-0"): Duplex {
    const [client, server] = connectionPair();
    this.guests.add(client);
    client.once("close", () => this.guests.delete(client));
    serveNodeSsh(server, {
      node,
      hostKey: this.#hostKeys[node],
      directory: join(this.#directory, node),
      authorizedKeys: async () => [`ssh-rsa ${blobOf(this.clusterKey).toString("base64")}`],
      neighbour: (address, port) =>
        address === "worker-0" && port === 22 ? this.#serveNode("worker-0") : undefined,
      clock: this.#nodeClock,
      logger: silentLogger,
    });
    return client;
  }

  /** Stores a cluster with one master and the recorded host key of this master. Returns the cluster's lower-case ID. */
  async putCluster(change: Partial<ClusterProperties> = {}): Promise<string> {
    const fingerprints = [fingerprintOf(blobOf(this.#hostKeys["master-1"]))];
    const { networkProfile } = newCluster({ name: "c", state: "Succeeded" }).properties;
    return storeCluster(this.database, {
      networkProfile: { ...networkProfile, privateEndpointIp: "10.9.8.7" },
      sshKey: new Secret(this.clusterKey),
      masterHostKeys: [{ master: 1, vmName: "master-1", fingerprints }],
      ...change,
    });
  }

  /** Issues a password for the user Ada, which is valid for one connection. */
  openPassword(id: string, master = 1, elevation?: SessionElevation): Promise<string> {
    const portal = { username: "ada@example.com", ssh: { master } };
    return openSessionOn(this.database, id, { portal, ttlSeconds: 900, elevation });
  }

  /** Returns the recordings of a cluster, newest first. */
  async recordingsOf(id: string): Promise<readonly SshRecordingDocument[]> {
    const query = { where: { clusterKey: id }, limit: 20 };
    const { items } = await this.database.collections.sshRecordings.list(query, signal);
    return items.map(({ document }) => document);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const guest of this.guests) guest.destroy();
    await this.database[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Opens an SSH connection. Resolves when it is ready. */
export async function connectSsh(config: ConnectConfig): Promise<Client> {
  const client = new ssh2.Client();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.once("ready", () => resolve());
  client.on("error", reject);
  client.once("close", () => reject(new Error("closed")));
  client.connect({ host: "127.0.0.1", ...config });
  await promise;
  return client;
}

/** Runs a command and returns its result. */
export async function runSsh(
  client: Client,
  command: string,
): Promise<{ readonly code: number | null; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>();
  const ended = Promise.withResolvers<number | null>();
  client.exec(command, (error, channel) => {
    if (error) {
      reject(error);
      return;
    }
    // The listener is added immediately, because the exit status may arrive in the same packets as the response to the command.
    channel.on("exit", (code: number | null) => ended.resolve(code));
    channel.once("close", () => ended.resolve(null));
    resolve(channel);
  });
  const channel = await promise;
  const [out, err] = await Promise.all([channel.toArray(), channel.stderr.toArray()]);
  return { code: await ended.promise, text: Buffer.concat([...out, ...err]).toString() };
}

/** Opens a login shell with a terminal. */
export function openShell(client: Client): Promise<ClientChannel> {
  return new Promise((resolve, reject) =>
    client.shell({ cols: 100, rows: 30, term: "xterm" }, (error, channel) =>
      error ? reject(error) : resolve(channel),
    ),
  );
}
