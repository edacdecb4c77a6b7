import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { keyManagementService } from "./kms-protocol.ts";
import { connectUnixSocket } from "./unix-socket.ts";

export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  /** Of the key at the service. */
  readonly keyId: string;
}

export interface KmsCiphertext {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
  readonly annotations: Readonly<Record<string, Uint8Array>>;
}

/** A plugin of a key management service. Calls reject when it does not answer in time, or with more than it may. */
export interface KmsService extends Disposable {
  status(signal: AbortSignal): Promise<KmsStatus>;
  encrypt(plaintext: Uint8Array, uid: string, signal: AbortSignal): Promise<KmsCiphertext>;
  decrypt(encrypted: KmsCiphertext, uid: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Annotations may have 32 kB, all else two. */
const maxAnswerBytes = 65_536;
/** Of HTTP/2 on a socket that has no name. */
const authority = "http://localhost";

/** Connects when it is first asked. `callTimeoutMs` is for each call. */
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
    // What is compressed may be large.
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
