import type { AzureClients } from "@keelson/azure";
import { messageOf } from "@keelson/base";
import { infraIdOf, type MasterHostKeys, managedGroupOf, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { masterIndexOf } from "../load-balancer/fix-ssh.ts";

const maxLogBytes = 4 * 2 ** 20;
/** Line format of console-login-helper-messages on Fedora and Red Hat CoreOS. */
const hostKeyLine = /^SSH host key: (SHA256:[A-Za-z0-9+/]{43}) \([A-Z0-9-]+\)/gm;

/**
 * Reads the masters' SSH host keys from their serial console output and stores them. The output comes from Azure, so an attacker
 * between the service and a master cannot inject a key. If a master's output contains no keys, its stored keys do not change. A
 * missing key does not fail the operation.
 */
export async function recordMasterHostKeys({
  cluster,
  azure,
  logger,
  signal,
  update,
}: ClusterContext): Promise<void> {
  const group = managedGroupOf(cluster);
  const found: MasterHostKeys[] = [];
  for await (const { name = "" } of azure.compute.virtualMachines.list(group, azure.call(signal))) {
    const master = masterIndexOf(`${name}-nic`, infraIdOf(cluster));
    if (master === undefined) continue;
    try {
      const fingerprints = hostKeysIn(await serialLog(azure, group, name, signal));
      if (fingerprints.length > 0) found.push({ master, vmName: name, fingerprints });
      else logger.warn({ vmName: name }, "a master's serial console shows no host key");
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ vmName: name, error: messageOf(error) }, "a master's serial console cannot be read");
    }
  }
  if (found.length === 0) return;
  await update((current) => {
    const others = (current.properties.masterHostKeys ?? []).filter(
      (each) => !found.some(({ master }) => master === each.master),
    );
    const masterHostKeys = [...others, ...found].sort((a, b) => a.master - b.master);
    return withProperties(current, { masterHostKeys });
  });
}

/** Returns the distinct host keys of the machine's last boots, newest last. */
export function hostKeysIn(log: string): readonly string[] {
  const found = [...log.matchAll(hostKeyLine)].flatMap(([, fingerprint]) => fingerprint ?? []);
  return [...new Set(found)].slice(-mostKeys);
}

/**
 * Maximum number of stored host keys per master. It suffices for two sets of keys. A set consists of an RSA, an ECDSA and an
 * Ed25519 key.
 */
const mostKeys = 6;

async function serialLog(
  azure: AzureClients,
  group: string,
  vmName: string,
  signal: AbortSignal,
): Promise<string> {
  const { serialConsoleLogBlobUri } = await azure.compute.virtualMachines.retrieveBootDiagnosticsData(
    group,
    vmName,
    azure.call(signal),
  );
  if (!serialConsoleLogBlobUri) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of azure.raw.download(serialConsoleLogBlobUri, signal)) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Drops the oldest output first, because the last boot is at the end of the output.
    while (chunks[0] && bytes - chunks[0].length > maxLogBytes) bytes -= chunks.shift()?.length ?? 0;
  }
  return Buffer.concat(chunks).toString("utf8").replaceAll("\r\n", "\n");
}
