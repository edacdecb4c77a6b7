import { readFileSync } from "node:fs";
import { type OpenShiftCluster, RedHatOpenShiftClient } from "@keelson/arm-redhatopenshift";
import type { Service } from "./service.ts";

/** Name of the cluster that only the TypeScript client uses. */
export const ofTheClient = "client";

export interface CreatedByClient {
  /** Cluster in the response to the create request. */
  readonly begun: OpenShiftCluster;
  readonly created: OpenShiftCluster;
}

/** Returns a `clients/typescript` client that connects directly to the service without a certificate. */
export function strangersClient(service: Service): RedHatOpenShiftClient {
  return clientOf(service, {});
}

/** Returns a `clients/typescript` client with the certificate of Azure Resource Manager. */
export function armsClient(service: Service): RedHatOpenShiftClient {
  const read = (name: string) => readFileSync(service.state.file(name), "utf8");
  return clientOf(service, { cert: read("arm.pem"), key: read("arm-key.pem") });
}

function clientOf(service: Service, certificate: { readonly cert?: string; readonly key?: string }) {
  const { rp, caFile } = service.endpoints;
  const tlsOptions = { ca: readFileSync(caFile, "utf8"), ...certificate };
  const getToken = async () => ({ token: "of nobody", expiresOnTimestamp: Date.now() + 3_600_000 });
  return new RedHatOpenShiftClient({ getToken }, service.subscriptionId, { endpoint: rp, tlsOptions });
}

/** Creates the cluster with the client and waits until its creation has completed. */
export async function createByClient(service: Service): Promise<CreatedByClient> {
  const { openShiftClusters } = armsClient(service);
  const body = service.request(ofTheClient) as unknown as OpenShiftCluster;
  const creation = openShiftClusters.createOrUpdate(ofTheClient, ofTheClient, body);
  await creation.submitted();
  const begun = await openShiftClusters.get(ofTheClient, ofTheClient);
  return { begun, created: await creation };
}
