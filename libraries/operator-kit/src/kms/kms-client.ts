import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { keyManagementService } from "./kms-protocol.ts";
import { connectUnixSocket } from "./unix-socket.ts";

export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  /** Key ID that the key management service assigned. */
  readonly keyId: string;
}

export interface KmsCiphertext {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
  readonly annotations: Readonly<Record<string, Uint8Array>>;
}

/** Client of a KMS plugin. A call rejects after its timeout, or if the response exceeds the size limit. */
export interface KmsService extends Disposable {
  status(signal: AbortSignal): Promise<KmsStatus>;
  encrypt(plaintext: Uint8Array, uid: string, signal: AbortSignal): Promise<KmsCiphertext>;
  decrypt(encrypted: KmsCiphertext, uid: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Maximum response size in bytes. The annotations may have 32 kB, and each of the remaining fields 2 kB. */
const maxResponseBytes = 65_536;
/** Placeholder for the HTTP/2 authority. A Unix socket has no host name. */
const authority = "http://localhost";

/** Creates a client. The first call connects. `callTimeoutMs` is the timeout of each call. */
export function connectKms(path: string, callTimeoutMs: number): KmsService {
  const sessionManager = new Http2SessionManager(
    authority,
    {},
    { createConnection: () => connectUnixSocket(path) },
  );
  const transport = createGrpcTransport({
    baseUrl: authority,
    sessionManager,
    readMaxBytes: maxResponseBytes,
    // A compressed response could exceed the size limit after decompression.
    acceptCompression: [],
    defaultTimeoutMs: callTimeoutMs,
  });
  const client = createClient(keyManagementService(), transport);
  return {
    status: (signal) => client.status({}, { signal }),
    encrypt: (plaintext, uid, signal) => client.encrypt({ plaintext, uid }, { signal }),
    decrypt: async ({ ciphertext, keyId, annotations }, uid, signal) => {
      const request = { ciphertext, uid, keyId, annotations: { ...annotations } };
      return (await client.decrypt(request, { signal })).plaintext;
    },
    [Symbol.dispose]: () => sessionManager.abort(),
  };
}
