import { createPrivateKey } from "node:crypto";
import type { Secret } from "@keelson/base";
import { stringify } from "yaml";
import { readKubeconfig } from "./read-kubeconfig.ts";

interface KubeconfigNames {
  /** URL of the API server. Its path is preserved. */
  readonly server: string;
  /** CA certificate of the server in PEM. Default: clients use the system's trust store. */
  readonly caPem?: string | undefined;
  readonly clusterName: string;
  readonly userName: string;
  /**
   * True to write the kubeconfig like Go serializes client-go's types: with sorted fields and without `apiVersion` and `kind`.
   */
  readonly isUntyped?: boolean | undefined;
}

/** Credential of the user: a client certificate or a token. */
type KubeconfigCredential =
  | { readonly clientCertificatePem: string; readonly clientKeyPem: string }
  | { readonly token: string };

export type KubeconfigRequest = KubeconfigNames & KubeconfigCredential;

/** Returns a kubeconfig in YAML with one cluster and one user. The current context has the user's name. */
export function createKubeconfig(request: KubeconfigRequest): string {
  const { server, caPem, clusterName, userName, isUntyped = false } = request;
  return stringify(
    {
      ...(isUntyped ? {} : { apiVersion: "v1", kind: "Config" }),
      clusters: [
        {
          name: clusterName,
          cluster: {
            server,
            ...(caPem === undefined ? {} : { "certificate-authority-data": base64(caPem) }),
          },
        },
      ],
      users: [
        {
          name: userName,
          user: userOf(request),
        },
      ],
      contexts: [{ name: userName, context: { cluster: clusterName, user: userName } }],
      "current-context": userName,
      preferences: {},
    },
    { lineWidth: 0, sortMapEntries: isUntyped },
  );
}

/**
 * Returns a kubeconfig for the server in `kubeconfig`. The credentials of its user are replaced by the token.
 * @throws KubeError InvalidKubeconfig
 */
export function kubeconfigWithToken(kubeconfig: string, token: Secret): string {
  const { server, tls } = readKubeconfig(kubeconfig);
  return createKubeconfig({
    server: server.href,
    caPem: tls.ca ? tls.ca.toString() : undefined,
    clusterName: server.host,
    userName: "token",
    token: token.reveal(),
  });
}

function userOf(credential: KubeconfigCredential): Readonly<Record<string, string>> {
  if ("token" in credential) return { token: credential.token };
  return {
    "client-certificate-data": base64(credential.clientCertificatePem),
    "client-key-data": base64(recognizableKey(credential.clientKeyPem)),
  };
}

/**
 * Returns an elliptic curve key in the format SEC1 (`BEGIN EC PRIVATE KEY`). fabric8's Java client detects the key type from this
 * line, and reads every key in the format PKCS#8 as an RSA key. Returns other keys unchanged.
 */
function recognizableKey(pem: string): string {
  if (!pem.startsWith("-----BEGIN PRIVATE KEY-----")) return pem;
  const key = createPrivateKey(pem);
  return key.asymmetricKeyType === "ec" ? key.export({ type: "sec1", format: "pem" }).toString() : pem;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
