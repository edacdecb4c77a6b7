import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import type { Store, Table } from "../store/store.ts";
import { VaultError } from "./vault-error.ts";
import type { VersionChange } from "./vault-row.ts";

/**
 * Operation that creates one certificate: `inProgress` -> `completed` | `cancelled`. The simulation's CA signs the certificate
 * immediately. The next request for the certificate completes the operation.
 */
export interface CertificateOperation {
  readonly requestId: string;
  readonly status: "inProgress" | "completed" | "cancelled";
  readonly policy: JsonObject;
  readonly change: VersionChange;
  readonly privateKeyPem: string;
  /** Certificate signing request: base64 of DER. */
  readonly csr: string;
  /** Signed certificate chain. Undefined if an external CA must sign the certificate signing request. */
  readonly chainPem?: string | undefined;
}

/** Certificate operations and policies of one vault. Each certificate name has at most one operation and one policy. */
export class CertificateOperations {
  readonly #operations: Table<CertificateOperation>;
  readonly #policies: Table<JsonObject>;
  readonly #vault: string;

  constructor(vault: string, store: Store) {
    this.#vault = vault;
    this.#operations = store.table("keyVaultCertificateOperation");
    this.#policies = store.table("keyVaultCertificatePolicy");
  }

  find(name: string): CertificateOperation | undefined {
    return this.#operations.get(this.#key(name));
  }

  /** Returns the operation of a certificate. @throws VaultError */
  get(name: string): CertificateOperation {
    const operation = this.find(name);
    if (operation) return operation;
    throw new VaultError(404, "PendingCertificateNotFound", `Pending certificate not found: ${name}`);
  }

  /** Starts an operation. Must be called within a transaction. @throws VaultError if an operation is in progress */
  begin(name: string, made: Omit<CertificateOperation, "requestId" | "status">): CertificateOperation {
    if (this.find(name)?.status === "inProgress") {
      throw new VaultError(
        409,
        "Conflict",
        `A new key vault certificate cannot be created or imported while a pending key vault certificate's status is inProgress: ${name}.`,
      );
    }
    const operation: CertificateOperation = {
      ...made,
      requestId: randomUUID().replaceAll("-", ""),
      status: "inProgress",
    };
    this.#operations.set(this.#key(name), operation);
    this.setPolicy(name, made.policy);
    return operation;
  }

  set(name: string, operation: CertificateOperation): void {
    this.#operations.set(this.#key(name), operation);
  }

  delete(name: string): void {
    this.#operations.delete(this.#key(name));
  }

  policyOf(name: string): JsonObject | undefined {
    return this.#policies.get(this.#key(name));
  }

  setPolicy(name: string, policy: JsonObject): void {
    this.#policies.set(this.#key(name), policy);
  }

  deletePolicy(name: string): void {
    this.#policies.delete(this.#key(name));
  }

  /** Returns the names of certificates that have been signed, but have an operation that is still in progress. */
  ready(): readonly string[] {
    const prefix = `${this.#vault}/`;
    return [...this.#operations.entries()]
      .filter(([key, { status, chainPem }]) => key.startsWith(prefix) && status === "inProgress" && chainPem)
      .map(([key]) => key.slice(prefix.length));
  }

  #key(name: string): string {
    return `${this.#vault}/${name.toLowerCase()}`;
  }
}
