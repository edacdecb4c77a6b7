import type { SignedIn } from "./credential.ts";
import { identitySdk } from "./sdks.ts";

/** Signs in as the machine's managed identity `clientId`. The first request is sent when a token is needed. */
export function signInAsMachine(tenantId: string, clientId: string): SignedIn {
  const { ManagedIdentityCredential } = identitySdk();
  return { tenantId, tokens: new ManagedIdentityCredential({ clientId }) };
}

/** Signs in as the user of `az login` on this machine. */
export function signInAsAzureCli(tenantId: string): SignedIn {
  const { AzureCliCredential } = identitySdk();
  return { tenantId, tokens: new AzureCliCredential({ tenantId }) };
}
