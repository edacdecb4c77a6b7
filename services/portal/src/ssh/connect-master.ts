import { createPrivateKey } from "node:crypto";
import type { Duplex } from "node:stream";
import { withTimeout } from "@keelson/base";
import type { ClusterDocument } from "@keelson/model";
import ssh2, { type Client } from "ssh2";
import { sshAlgorithms } from "./algorithms.ts";
import { ClusterAgent } from "./cluster-agent.ts";
import { fingerprintOf, isRecorded } from "./host-key.ts";
import { sshErrors } from "./ssh-errors.ts";

/** Opens a connection to an address in a cluster's network. */
export type DialCluster = (address: string, port: number, signal: AbortSignal) => Promise<Duplex>;

export interface MasterConnection {
  readonly document: ClusterDocument;
  readonly master: number;
  readonly dial: DialCluster;
  readonly fips: boolean;
  readonly keepAliveMs: number;
}

/**
 * Port of the internal load balancer that forwards to port 22 of the first master. The next ports forward to port 22 of the
 * second and third master.
 */
const firstPort = 2_200;
const readyMs = 30_000;

/**
 * Connects to a master as the user `core` with the cluster's key. The host key of the master must be recorded.
 * @throws Error with a message for the user
 */
export async function connectMaster(
  { document, master, dial, fips, keepAliveMs }: MasterConnection,
  signal: AbortSignal,
): Promise<Client> {
  const { properties } = document.openShiftCluster;
  const { privateEndpointIp } = properties.networkProfile;
  const fingerprints = (properties.masterHostKeys ?? [])
    .filter((each) => each.master === master)
    .flatMap((each) => each.fingerprints);
  if (privateEndpointIp === undefined) throw sshErrors.Unreachable("the cluster has no private endpoint yet");
  if (!properties.sshKey) throw sshErrors.Unreachable("the cluster has no SSH key yet");
  if (fingerprints.length === 0) {
    throw sshErrors.HostKeyUnknown(
      `no host keys are recorded for master ${master}: the maintenance task "fix SSH" records them`,
    );
  }
  const privateKey = createPrivateKey(properties.sshKey.reveal())
    .export({ type: "pkcs1", format: "pem" })
    .toString();
  const within = withTimeout(signal, readyMs);
  const socket = await dial(privateEndpointIp, firstPort + master, within).catch((cause: unknown) => {
    throw sshErrors.Unreachable(`master ${master} cannot be reached`, { cause });
  });
  const client = new ssh2.Client();
  let unknownKey: string | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(within.reason);
  within.addEventListener("abort", abort, { once: true });
  client.once("ready", () => resolve());
  client.on("error", (cause) =>
    reject(
      unknownKey === undefined
        ? sshErrors.Unreachable(`the connection to master ${master} failed: ${cause.message}`, { cause })
        : sshErrors.HostKeyUnknown(
            `master ${master} has the host key ${unknownKey}, which is none of those recorded for it`,
          ),
    ),
  );
  client.once("close", () => reject(sshErrors.Unreachable(`master ${master} closed the connection`)));
  client.connect({
    sock: socket,
    username: "core",
    privateKey,
    authHandler: ["publickey"],
    agent: new ClusterAgent(privateKey),
    agentForward: true,
    algorithms: sshAlgorithms(fips),
    hostVerifier: (key: Buffer) => {
      if (isRecorded(key, fingerprints)) return true;
      unknownKey = fingerprintOf(key);
      return false;
    },
    readyTimeout: readyMs,
    keepaliveInterval: keepAliveMs,
    keepaliveCountMax: 3,
  });
  try {
    await promise;
    return client;
  } catch (error) {
    client.destroy();
    socket.destroy();
    throw error;
  } finally {
    within.removeEventListener("abort", abort);
  }
}
