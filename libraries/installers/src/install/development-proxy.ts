import type { Secret } from "@keelson/base";

/**
 * Files with which an installer in development mode connects to the development proxy, in base64: certificates in DER, the key in
 * PKCS#1 DER. The installer terminates at its start if one is missing.
 */
export interface DevelopmentProxyFiles {
  readonly "proxy.crt": Secret;
  readonly "proxy-client.crt": Secret;
  readonly "proxy-client.key": Secret;
}
