import type { Secret } from "@keelson/base";

/** Credential of a registry. */
export type RegistryCredential =
  | { readonly kind: "anonymous" }
  | { readonly kind: "password"; readonly username: string; readonly password: Secret }
  /** An Azure container registry: a token of Entra ID is exchanged for one of the registry. */
  | {
      readonly kind: "azure";
      readonly tenantId: string;
      readonly accessToken: (signal: AbortSignal) => Promise<Secret>;
    };
