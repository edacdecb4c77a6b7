import type { Clock, KeyPair } from "@keelson/base";
import type { Subscription } from "../arm/subscription.ts";
import type { Store } from "../store/store.ts";
import { type VaultKind, VaultObjects, vaultKinds } from "./vault-objects.ts";
import type { CertificateContent, KeyContent, SecretContent, VaultRow } from "./vault-row.ts";

/** Content of one key vault. */
export class Vault {
  readonly name: string;
  readonly store: Store;
  readonly clock: Clock;
  /** CA that is configured for public issuers. Undefined if none is configured. */
  readonly givenAuthority: KeyPair | undefined;
  readonly secrets: VaultObjects<SecretContent>;
  readonly keys: VaultObjects<KeyContent>;
  readonly certificates: VaultObjects<CertificateContent>;

  constructor(
    name: string,
    {
      store,
      clock,
      publicAuthority,
    }: Pick<Subscription, "store" | "clock"> & { readonly publicAuthority?: KeyPair | undefined },
  ) {
    this.name = name.toLowerCase();
    this.store = store;
    this.clock = clock;
    this.givenAuthority = publicAuthority;
    this.secrets = new VaultObjects(name, vaultKinds.secrets, store, clock);
    this.keys = new VaultObjects(name, vaultKinds.keys, store, clock);
    this.certificates = new VaultObjects(name, vaultKinds.certificates, store, clock);
  }
}

/** Deletes the content of a vault. Must be called within a transaction. */
export function emptyVault(name: string, store: Store): void {
  const tables: readonly VaultKind["table"][] = [
    ...Object.values(vaultKinds).map(({ table }) => table),
    "keyVaultCertificatePolicy",
    "keyVaultCertificateOperation",
    "keyVaultCertificateIssuer",
  ];
  for (const each of tables) {
    const table = store.table<VaultRow<unknown>>(each);
    for (const key of [...table.keys()]) if (key.startsWith(`${name.toLowerCase()}/`)) table.delete(key);
  }
}
