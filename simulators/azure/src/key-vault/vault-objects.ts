import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import type { Store, Table } from "../store/store.ts";
import { badParameter, VaultError } from "./vault-error.ts";
import {
  type DeletedRow,
  latest,
  type VaultRow,
  type VaultVersion,
  type VersionChange,
} from "./vault-row.ts";

export const recoverableDays = 90;

/** Type of vault objects: its table, and its name in error messages. */
export interface VaultKind {
  readonly table: string;
  readonly noun: "Secret" | "Key" | "Certificate";
}

export const vaultKinds = {
  secrets: { table: "keyVaultSecret", noun: "Secret" },
  keys: { table: "keyVaultKey", noun: "Key" },
  certificates: { table: "keyVaultCertificate", noun: "Certificate" },
} as const satisfies Readonly<Record<string, VaultKind>>;

/** Secrets, keys or certificates of one vault. Names are case-insensitive. */
export class VaultObjects<Content> {
  readonly #vault: string;
  readonly #store: Store;
  readonly #kind: VaultKind;
  readonly #rows: Table<VaultRow<Content>>;
  readonly #clock: Clock;

  constructor(vault: string, kind: VaultKind, store: Store, clock: Clock) {
    this.#vault = vault.toLowerCase();
    this.#store = store;
    this.#kind = kind;
    this.#rows = store.table(kind.table);
    this.#clock = clock;
  }

  /** Returns the objects sorted by name. */
  list(which: "present" | "deleted"): readonly VaultRow<Content>[] {
    return [...this.#rows.values()]
      .filter((row) => row.vault === this.#vault && this.#isThere(row))
      .filter((row) => (row.deleted === undefined) === (which === "present"))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): VaultRow<Content> | undefined {
    const row = this.#rows.get(this.#key(name));
    return row && this.#isThere(row) ? row : undefined;
  }

  /** Returns an existing object. @throws VaultError */
  get(name: string): VaultRow<Content> {
    const row = this.find(name);
    if (row && !row.deleted) return row;
    throw this.#notFound(name);
  }

  /** Returns a deleted object. @throws VaultError */
  getDeleted(name: string): DeletedRow<Content> {
    const row = this.find(name);
    if (row?.deleted) return { ...row, deleted: row.deleted };
    const { noun } = this.#kind;
    throw new VaultError(404, `${noun}NotFound`, `Deleted ${noun} not found: ${name}`);
  }

  /** Returns a version by ID. Default: the newest version. @throws VaultError */
  versionOf(row: VaultRow<Content>, id?: string): VaultVersion<Content> {
    const version =
      id === undefined ? latest(row) : row.versions.find((each) => each.id === id.toLowerCase());
    if (version) return version;
    throw this.#notFound(`${row.name}/${id}`);
  }

  /**
   * Checks the name of a new object. The name must have a valid format. It must not belong to a deleted object that can still be
   * recovered.
   * @throws VaultError
   */
  checkName(name: string): void {
    if (!/^[0-9a-zA-Z-]{1,127}$/.test(name)) {
      throw badParameter(`The request URI contains an invalid name: ${name}`);
    }
    if (!this.find(name)?.deleted) return;
    throw new VaultError(
      409,
      "Conflict",
      `${this.#kind.noun} ${name} is currently in a deleted but recoverable state, and its name cannot be reused; in this state, it can only be recovered or purged.`,
      { innerCode: "ObjectIsDeletedButRecoverable" },
    );
  }

  /** Adds a version to a new or an existing object. @throws VaultError */
  add(
    name: string,
    content: Content,
    { attributes, tags }: VersionChange,
    id = newVersionId(),
  ): VaultVersion<Content> {
    this.checkName(name);
    const row = this.find(name);
    const now = this.#now();
    const version: VaultVersion<Content> = {
      id,
      ...(tags ? { tags } : {}),
      ...content,
      attributes: { enabled: true, ...attributes, created: now, updated: now },
    };
    this.#write(
      row
        ? { ...row, versions: [...row.versions, version] }
        : { vault: this.#vault, name, versions: [version] },
    );
    return version;
  }

  /** Updates a version. @throws VaultError */
  update(
    name: string,
    id: string,
    { attributes, tags }: VersionChange,
    content: Partial<Content> = {},
  ): VaultVersion<Content> {
    const row = this.get(name);
    const before = this.versionOf(row, id);
    const after: VaultVersion<Content> = {
      ...before,
      ...content,
      ...(tags ? { tags } : {}),
      attributes: { ...before.attributes, ...attributes, updated: this.#now() },
    };
    const [first, ...more] = row.versions;
    const swapped = (each: VaultVersion<Content>) => (each === before ? after : each);
    this.#write({ ...row, versions: [swapped(first), ...more.map(swapped)] });
    return after;
  }

  /** Deletes an object. The object can be recovered until it is purged. @throws VaultError */
  delete(name: string): DeletedRow<Content> {
    const at = this.#now();
    const row = { ...this.get(name), deleted: { at, purgeAt: at + recoverableDays * 86_400 } };
    this.#write(row);
    return row;
  }

  /** Recovers a deleted object. @throws VaultError */
  recover(name: string): VaultRow<Content> {
    const { deleted: _, ...row } = this.getDeleted(name);
    this.#write(row);
    return row;
  }

  /** Deletes a deleted object permanently. @throws VaultError */
  purge(name: string): void {
    const row = this.getDeleted(name);
    this.#store.transaction(() => this.#rows.delete(this.#key(row.name)));
  }

  #isThere({ deleted }: VaultRow<Content>): boolean {
    return deleted === undefined || deleted.purgeAt > this.#now();
  }

  #write(row: VaultRow<Content>): void {
    this.#store.transaction(() => this.#rows.set(this.#key(row.name), row));
  }

  #key(name: string): string {
    return `${this.#vault}/${name.toLowerCase()}`;
  }

  #now(): number {
    return Math.floor(this.#clock.now().getTime() / 1_000);
  }

  #notFound(id: string): VaultError {
    const noun = this.#kind.noun.toLowerCase();
    return new VaultError(
      404,
      `${this.#kind.noun}NotFound`,
      `A ${noun} with (name/id) ${id} was not found in this key vault. If you recently deleted this ${noun} you may be able to recover it using the correct recovery command. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125182`,
    );
  }
}

export function newVersionId(): string {
  return randomUUID().replaceAll("-", "");
}
