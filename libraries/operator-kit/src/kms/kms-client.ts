import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { keyManagementService } from "./kms-protocol.ts";
import { connectUnixSocket } from "./unix-socket.ts";

export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  /** ID of the key at the service. */
  readonly keyId: string;
}

export interface KmsCiphertext {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
  readonly annotations: Readonly<Record<string, Uint8Array>>;
}

/** Client of a KMS plugin. Calls reject after the timeout and for responses above the size limit. */
export interface KmsService extends Disposable {
  status(signal: AbortSignal): Promise<KmsStatus>;
  encrypt(plaintext: Uint8Array, uid: string, signal: AbortSignal): Promise<KmsCiphertext>;
  decrypt(encrypted: KmsCiphertext, uid: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Annotations may have 32 kB, all else two. */
const maxAnswerBytes = 65_536;
/** Placeholder for the HTTP/2 authority, which a Unix socket does not have. */
const authority = "http://localhost";

/** Creates a client that connects at the first call. `callTimeoutMs` applies to each call. */
export function connectKms(path: string, callTimeoutMs: number): KmsService {
  const sessionManager = new Http2SessionManager(
    authority,
    {},
    { createConnection: () => connectUnixSocket(path) },
  );
  const transport = createGrpcTransport({
    baseUrl: authority,
    sessionManager,
    readMaxBytes: maxAnswerBytes,
    // Compressed responses could exceed the size limit after decompression.
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
