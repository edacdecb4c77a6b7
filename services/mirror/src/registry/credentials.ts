import type { Secret } from "@keelson/base";

/** Credential of a registry. */
export type RegistryCredential =
  | { readonly kind: "anonymous" }
  | { readonly kind: "password"; readonly username: string; readonly password: Secret }
  /** Azure container registry. An Entra ID token is exchanged for a registry token. */
  | {
      readonly kind: "azure";
      /** Entra ID tenant. Default: the tenant that issued the token. */
      readonly tenantId?: string;
      readonly accessToken: (signal: AbortSignal) => Promise<Secret>;
    };
