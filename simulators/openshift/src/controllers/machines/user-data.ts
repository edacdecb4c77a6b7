import { stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";

/**
 * Returns the Base64 custom data of a new worker from the Machine's Secret. Without a Secret, returns the Ignition pointer to the
 * machine config server.
 */
export async function workerUserData(
  { client, settings }: Cluster,
  namespace: string | undefined,
  secretName: string | undefined,
): Promise<string> {
  const secret = secretName
    ? await client.find(resources.secrets, { namespace, name: secretName })
    : undefined;
  const pointer = {
    ignition: {
      version: "3.2.0",
      config: { merge: [{ source: `https://api-int.${settings.domain}:22623/config/worker` }] },
    },
  };
  return stringAt(secret, "data", "userData") ?? Buffer.from(JSON.stringify(pointer)).toString("base64");
}
