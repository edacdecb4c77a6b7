import type { Store } from "../store/store.ts";
import { vaultKinds } from "./vault-objects.ts";
import { latest, type VaultRow } from "./vault-row.ts";

/** Expiry of a secret or certificate in a key vault. */
export interface VaultExpiry {
  readonly kind: "secret" | "certificate";
  readonly vault: string;
  readonly name: string;
  /** Expiry time, RFC 3339. */
  readonly expires: string;
}

/**
 * Returns the expiry of the newest version of each secret and each certificate. Versions without an expiry date and deleted
 * objects are excluded.
 */
export function vaultExpiries(store: Store): readonly VaultExpiry[] {
  return [...expiriesIn(store, "secret"), ...expiriesIn(store, "certificate")];
}

function expiriesIn(store: Store, kind: VaultExpiry["kind"]): readonly VaultExpiry[] {
  const { table } = kind === "secret" ? vaultKinds.secrets : vaultKinds.certificates;
  return [...store.table<VaultRow<object>>(table).values()].flatMap((row) => {
    const version = latest(row);
    const { exp } = version.attributes;
    // The secret of a certificate is skipped, because it expires at the same time as the certificate.
    const isOfCertificate = kind === "secret" && "kid" in version;
    if (exp === undefined || row.deleted !== undefined || isOfCertificate) return [];
    return [{ kind, vault: row.vault, name: row.name, expires: new Date(exp * 1_000).toISOString() }];
  });
}
