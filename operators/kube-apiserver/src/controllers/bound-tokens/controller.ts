import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { listAt, numberAt } from "@keelson/base";
import { done } from "@keelson/controller";
import { type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import { ensureData } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";
import {
  hasPublicKey,
  nextKeyPair as next,
  privateKeyName,
  publicKeyName,
  publicKeys,
  type SigningKeyPair,
  signingKeyPair,
  verifyingKeys as verifying,
  withPublicKey,
} from "./signing-keys.ts";

const current = { namespace: namespaces.target, name: "bound-service-account-signing-key" };

/**
 * Rotates the key pair that signs service account tokens. If the next key pair is deleted, a new one is created. A private key
 * signs only after the revisions of all API servers contain its public key.
 */
export const boundTokens = kubeApiServerController({
  name: "BoundSATokenSignerController",
  degraded: { type: "BoundSATokenSignerControllerDegraded", failed: "SyncError", fine: "AsExpected" },
  watches: inputWatches([
    { resource: resources.secrets, selection: { namespace: namespaces.operator } },
    { resource: resources.secrets, selection: { namespace: namespaces.target } },
    { resource: resources.configMaps, selection: { namespace: namespaces.target } },
  ]),
  resyncMs: 60_000,
  async reconcile({ parts: { cache }, configuration, objects }) {
    const found = (resource: typeof resources.secrets, key: ObjectKey) => cache.known(resource, key)?.object;
    let pair = signingKeyPair(found(resources.secrets, next));
    if (!pair) {
      pair = await newKeyPair();
      const data = { [privateKeyName]: base64(pair.privateKey), [publicKeyName]: base64(pair.publicKey) };
      await ensureData(objects, resources.secrets, { metadata: next, type: "Opaque", data });
    }
    const present = publicKeys(found(resources.configMaps, verifying));
    const wanted = withPublicKey(present, pair.publicKey);
    if (wanted !== present)
      await objects.ensure(resources.configMaps, { metadata: verifying, data: Object.fromEntries(wanted) });
    const signing = signingKeyPair(found(resources.secrets, current));
    const { publicKey } = pair;
    const isKnown = (revision: number) =>
      hasPublicKey(
        publicKeys(found(resources.configMaps, { ...verifying, name: `${verifying.name}-${revision}` })),
        publicKey,
      );
    if (signing && !currentRevisions(configuration).every(isKnown)) return done;
    if (signing?.privateKey === pair.privateKey) return done;
    const data = { [privateKeyName]: base64(pair.privateKey), [publicKeyName]: base64(pair.publicKey) };
    await ensureData(objects, resources.secrets, { metadata: current, type: "Opaque", data });
    return done;
  },
});

/** Returns the current revision of each node. A node without a revision has no key yet and counts as revision 0. */
function currentRevisions(configuration: KubeObject): readonly number[] {
  const nodes = listAt(configuration, "status", "nodeStatuses");
  return nodes.length === 0 ? [0] : nodes.map((node) => numberAt(node, "currentRevision") ?? 0);
}

async function newKeyPair(): Promise<SigningKeyPair> {
  return promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
