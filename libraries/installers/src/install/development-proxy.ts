import type { Secret } from "@keelson/base";

/**
 * Base64-encoded files for an installer in development mode. The installer uses them to connect to the development proxy, and
 * exits at startup if a file is missing. Certificates are in DER, and the key is in PKCS#1 DER.
 */
export interface DevelopmentProxyFiles {
  readonly "proxy.crt": Secret;
  readonly "proxy-client.crt": Secret;
  readonly "proxy-client.key": Secret;
}
