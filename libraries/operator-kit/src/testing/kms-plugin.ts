import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerHttp2Session } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { keyManagementService } from "../kms/kms-protocol.ts";

/** Faults of a plugin. A test may change them while the plugin runs. */
export interface PluginFaults {
  version?: string;
  healthz?: string;
  keyId?: string;
  /** Delay in ms before each response. */
  delayMs?: number;
  /** Calls that the plugin rejects. */
  refuses?: readonly ("status" | "encrypt" | "decrypt")[];
  /** Result of every encryption. Default: a real ciphertext. */
  encryptsTo?: "plaintext" | Uint8Array;
  /** Result of every decryption. Default: the real plaintext. */
  decryptsTo?: Uint8Array;
  annotations?: Record<string, Uint8Array>;
}

/** KMS v2 plugin on a Unix socket. Each plugin has a separate key. */
export interface KmsPlugin extends AsyncDisposable {
  readonly faults: PluginFaults;
  /** Received calls. */
  readonly calls: string[];
}

const nonceBytes = 12;
const tagBytes = 16;

export async function startKmsPlugin(path: string, faults: PluginFaults = {}): Promise<KmsPlugin> {
  const key = randomBytes(32);
  const calls: string[] = [];
  const called = async (call: "status" | "encrypt" | "decrypt", { signal }: HandlerContext) => {
    calls.push(call);
    if (faults.delayMs !== undefined) await delay(faults.delayMs, undefined, { signal });
    if (faults.refuses?.includes(call))
      throw new ConnectError("permission denied by the vault", Code.PermissionDenied);
  };
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(keyManagementService(), {
        async status(_, context) {
          await called("status", context);
          const { version = "v2", healthz = "ok", keyId = "remote-1" } = faults;
          return { version, healthz, keyId };
        },
        async encrypt({ plaintext }, context) {
          await called("encrypt", context);
          const { keyId = "remote-1", annotations = {}, encryptsTo } = faults;
          const ciphertext = encryptsTo === "plaintext" ? plaintext : (encryptsTo ?? seal(key, plaintext));
          return { ciphertext, keyId, annotations };
        },
        async decrypt({ ciphertext }, context) {
          await called("decrypt", context);
          return { plaintext: faults.decryptsTo ?? open(key, ciphertext) };
        },
      }),
  });
  const server = createServer(handler);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  server.listen(path);
  await once(server, "listening");
  return {
    faults,
    calls,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function seal(key: Buffer, plaintext: Uint8Array): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, ciphertext: Uint8Array): Uint8Array {
  const cipher = createDecipheriv("aes-256-gcm", key, ciphertext.subarray(0, nonceBytes));
  cipher.setAuthTag(ciphertext.subarray(-tagBytes));
  return Buffer.concat([cipher.update(ciphertext.subarray(nonceBytes, -tagBytes)), cipher.final()]);
}
