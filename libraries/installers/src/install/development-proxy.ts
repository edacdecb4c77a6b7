import type { Secret } from "@keelson/base";

/**
 * Base64-encoded files for an installer in development mode. The installer connects to the development proxy with them, and exits
 * at startup if one is missing. Certificates are in DER, the key is in PKCS#1 DER.
 */
export interface DevelopmentProxyFiles {
  readonly "proxy.crt": Secret;
  readonly "proxy-client.crt": Secret;
  readonly "proxy-client.key": Secret;
}
