import type { X509Certificate } from "node:crypto";
import { formatGoDuration, type KeyPair, stringAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import {
  annotations,
  type ManagedCertificateType,
  missingAnnotations,
  typeLabel,
} from "./certificate-annotations.ts";
import { commonNameOf, readKeyPair } from "./certificate-chain.ts";
import type { HeldKeyPair } from "./renewal-reason.ts";
import type { RotationDeps } from "./rotation-deps.ts";

/** Key pair with its parsed certificate. */
export interface UsableKeyPair {
  readonly pair: KeyPair;
  readonly certificate: X509Certificate;
}

export interface RotatedSecret {
  readonly key: Required<ObjectKey>;
  readonly type: Exclude<ManagedCertificateType, "ca-bundle">;
  readonly refreshMs: number;
  /** Annotations that the Secret must have at any time. */
  readonly owned: Readonly<Record<string, string>>;
  readonly renewalReason: (held: HeldKeyPair) => string | undefined;
  readonly renew: () => Promise<KeyPair>;
  /** Certificate authority that issued the certificate. Undefined for a self-signed certificate. */
  readonly issuer?: X509Certificate;
  /** Additional annotations that are set only together with a new certificate. */
  readonly described?: Readonly<Record<string, string>>;
}

const tlsType = "kubernetes.io/tls";
const { secrets } = resources;
const events = {
  signer: { reason: "SignerUpdateRequired", needs: "signing" },
  target: { reason: "TargetUpdateRequired", needs: "target" },
} as const;

/** Returns the key pair of a Secret. If there is a renewal reason, the key pair is renewed first. */
export async function ensureKeyPair(wanted: RotatedSecret, deps: RotationDeps): Promise<UsableKeyPair> {
  const { key, type, owned } = wanted;
  const live = await deps.find(secrets, key);
  const held = live && heldBy(live);
  const reason = held ? wanted.renewalReason(held) : "secret doesn't exist";
  if (held?.certificate && reason === undefined) {
    if (live && !deps.policy.onlyExpired) await keepMetadata(live, wanted, held.pair, deps);
    return { pair: held.pair, certificate: held.certificate };
  }
  const { needs, reason: eventReason } = events[type];
  const message = `${JSON.stringify(key.name)} in ${JSON.stringify(key.namespace)} requires a new ${needs} cert/key pair: ${reason}`;
  deps.report({ type: "Normal", reason: eventReason, message });
  const pair = await wanted.renew();
  const certificate = readKeyPair(pair);
  if (!certificate) throw new TypeError("a new certificate does not have its key");
  const described = {
    [annotations.notBefore]: timestamp(certificate.validFromDate),
    [annotations.notAfter]: timestamp(certificate.validToDate),
    [annotations.issuer]: commonNameOf(wanted.issuer ?? certificate),
    [annotations.refreshPeriod]: formatGoDuration(wanted.refreshMs),
  };
  await write(live, wanted, pair, { ...owned, ...described, ...wanted.described }, deps);
  return { pair, certificate };
}

function heldBy(secret: KubeObject): HeldKeyPair & { readonly pair: KeyPair } {
  const text = (name: string) => Buffer.from(stringAt(secret, "data", name) ?? "", "base64").toString();
  const pair = { certificatePem: text("tls.crt"), privateKeyPem: text("tls.key") };
  return { pair, annotations: secret.metadata.annotations ?? {}, certificate: readKeyPair(pair) };
}

async function write(
  live: KubeObject | undefined,
  { key, type }: RotatedSecret,
  pair: KeyPair,
  values: Readonly<Record<string, string>>,
  { api, signal }: RotationDeps,
): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const data = { "tls.crt": base64(pair.certificatePem), "tls.key": base64(pair.privateKeyPem) };
  const labels = { [typeLabel]: type };
  const resourceVersion = live?.metadata.resourceVersion;
  if (live && stringAt(live, "type") === tlsType) {
    await api.mergePatch(
      secrets,
      key,
      { metadata: { resourceVersion, labels, annotations: values }, data },
      signal,
    );
    return;
  }
  // The type of a Secret is immutable, so a Secret with a wrong type is deleted and created again.
  if (live && resourceVersion !== undefined)
    await api.delete(secrets, key, signal, { preconditions: { resourceVersion } });
  const metadata = {
    ...key,
    labels: { ...live?.metadata.labels, ...labels },
    annotations: { ...live?.metadata.annotations, ...values },
  };
  await api.create(secrets, { apiVersion: "v1", kind: "Secret", type: tlsType, metadata, data }, signal);
}

/** Restores the type and the annotations of a Secret. Its key pair stays unchanged. */
async function keepMetadata(
  live: KubeObject,
  wanted: RotatedSecret,
  pair: KeyPair,
  deps: RotationDeps,
): Promise<void> {
  if (stringAt(live, "type") !== tlsType) return write(live, wanted, pair, wanted.owned, deps);
  const missing = missingAnnotations(live, wanted.owned);
  if (!missing) return;
  const { resourceVersion } = live.metadata;
  const patch = { metadata: { resourceVersion, annotations: missing } };
  await deps.api.mergePatch(secrets, wanted.key, patch, deps.signal);
}
