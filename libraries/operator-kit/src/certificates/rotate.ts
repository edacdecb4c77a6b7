import { isConflict } from "@keelson/kube";
import { annotations } from "./certificate-annotations.ts";
import type { CertificateRotation, CertificateSubject } from "./certificate-rotation.ts";
import { newSigner, newTarget } from "./new-key-pair.ts";
import { signerRenewalReason, targetRenewalReason } from "./renewal-reason.ts";
import { reportedWrites } from "./reported-writes.ts";
import { ensureBundle } from "./rotated-bundle.ts";
import { ensureKeyPair } from "./rotated-secret.ts";
import type { RotationDeps } from "./rotation-deps.ts";

/** Expiry of each certificate of a rotation. */
export interface RotationState {
  readonly signerEnds: Date;
  readonly targetEnds: Date;
}

/**
 * Reconciles signer, bundle and target of a rotation, in this order. A CA certificate is therefore in the bundle before it signs.
 * Each write fails with a conflict if the object was changed concurrently. After a conflict, returns undefined, and the next call
 * uses the changed object.
 */
export async function rotate(
  rotation: CertificateRotation,
  deps: RotationDeps,
): Promise<RotationState | undefined> {
  try {
    return await rotateInOrder(rotation, { ...deps, api: reportedWrites(deps) });
  } catch (error) {
    if (!isConflict(error)) throw error;
    return undefined;
  }
}

async function rotateInOrder(rotation: CertificateRotation, deps: RotationDeps): Promise<RotationState> {
  const { signer, target, component } = rotation;
  const { policy } = deps;
  const { keyType = "rsa" } = policy;
  const now = deps.clock.now();
  const authority = await ensureKeyPair(
    {
      key: { namespace: signer.namespace, name: signer.name },
      type: "signer",
      refreshMs: signer.refreshMs,
      owned: { [annotations.component]: component, [annotations.description]: signer.description },
      renewalReason: (held) => signerRenewalReason(held, { ...policy, refreshMs: signer.refreshMs }, now),
      renew: () => newSigner(signer, keyType, now),
    },
    deps,
  );
  const bundle = await ensureBundle(rotation, authority.certificate, deps);
  const { refreshMs, subject } = target;
  const trusted = { certificate: authority.certificate, bundle };
  const issued = await ensureKeyPair(
    {
      key: { namespace: target.namespace, name: target.name },
      type: "target",
      refreshMs,
      owned: { [annotations.component]: component, [annotations.description]: target.description },
      renewalReason: (held) => targetRenewalReason(held, subject, trusted, { ...policy, refreshMs }, now),
      renew: () => newTarget(target, authority, keyType, now),
      issuer: authority.certificate,
      described: hostnamesOf(subject),
    },
    deps,
  );
  return { signerEnds: authority.certificate.validToDate, targetEnds: issued.certificate.validToDate };
}

function hostnamesOf(subject: CertificateSubject): Readonly<Record<string, string>> {
  if (subject.usage !== "server") return {};
  return { [annotations.hostnames]: [...new Set(subject.hostnames)].toSorted().join(",") };
}
