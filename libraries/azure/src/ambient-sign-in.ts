import type { SignedIn } from "./credential.ts";
import { identitySdk } from "./sdks.ts";

/** As the managed identity `clientId` of the machine that this runs on. Nothing is sent before a token is needed. */
export function signInAsMachine(tenantId: string, clientId: string): SignedIn {
  const { ManagedIdentityCredential } = identitySdk();
  return { tenantId, tokens: new ManagedIdentityCredential({ clientId }) };
}

/** As the user whom `az login` signed in on this machine. */
export function signInAsAzureCli(tenantId: string): SignedIn {
  const { AzureCliCredential } = identitySdk();
  return { tenantId, tokens: new AzureCliCredential({ tenantId }) };
}
