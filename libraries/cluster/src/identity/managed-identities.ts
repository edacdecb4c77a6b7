import {
  type AzureEnvironment,
  type AzurePrincipal,
  connectBlobContainer,
  fetchIdentityCredentials,
  findForbiddenAction,
} from "@keelson/azure";
import type { AzureConnection, ManagedIdentities } from "../context/environment.ts";

export interface ManagedIdentitiesOptions {
  readonly environment: AzureEnvironment;
  /** Credentials of the service's service principal. */
  readonly credential: AzurePrincipal;
  /** Audience of access tokens for the managed identity data plane. */
  readonly audience: string;
  /** Host of the managed identity data plane, or the parent domain of its hosts. Contains the port if it is not 443. */
  readonly hostSuffix: string;
  /** URL of the service that checks permissions (CheckAccess), and the audience of its access tokens. */
  readonly checkAccess: { readonly url: string; readonly audience: string };
  readonly oidcIssuer: {
    /** Public URL of the blob container. The URLs of the issuers begin with this URL. */
    readonly endpoint: string;
    /** URL of the blob container, for example `https://account.blob.core.windows.net/$web`. */
    readonly containerUrl: string;
    readonly keyBits: number;
  };
}

/**
 * Creates the dependencies for managed identities. Identities come from Azure's data plane. Issuers are published on a storage
 * account's static website.
 */
export function azureManagedIdentities(options: ManagedIdentitiesOptions): ManagedIdentities {
  const { environment, credential, audience, hostSuffix, oidcIssuer, checkAccess } = options;
  const signedIn = { environment, credential };
  const endpoint = oidcIssuer.endpoint.replace(/\/+$/, "");
  const container = (connection: AzureConnection) =>
    connectBlobContainer({ ...signedIn, ...connection, containerUrl: oidcIssuer.containerUrl });
  return {
    fetchCredentials: (identityUrl, resourceId, connection, signal) =>
      fetchIdentityCredentials(
        { ...signedIn, audience, hostSuffix, ...connection },
        identityUrl,
        resourceId,
        signal,
      ),
    findForbiddenAction: (principalId, resourceId, actions, connection, signal) =>
      findForbiddenAction(
        { ...signedIn, ...checkAccess, ...connection },
        principalId,
        resourceId,
        actions,
        signal,
      ),
    oidcIssuer: {
      keyBits: oidcIssuer.keyBits,
      urlOf: (name) => `${endpoint}/${name}`,
      async publish(name, documents, connection, signal) {
        const blobs = container(connection);
        for (const [path, document] of Object.entries(documents)) {
          const content = Buffer.from(JSON.stringify(document, undefined, 4));
          await blobs.put(`${name}/${path}`, content, "application/octet-stream", signal);
        }
      },
      async remove(name, paths, connection, signal) {
        const blobs = container(connection);
        for (const path of paths) await blobs.delete(`${name}/${path}`, signal);
      },
    },
  };
}
