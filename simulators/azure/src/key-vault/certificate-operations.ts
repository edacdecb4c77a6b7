import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import type { Store, Table } from "../store/store.ts";
import { VaultError } from "./vault-error.ts";
import type { VersionChange } from "./vault-row.ts";

/**
 * The making of one certificate: `inProgress` -> `completed` | `cancelled`. What an authority here signed is at hand when
 * the request is answered, and is taken by the next request for the certificate.
 */
export interface CertificateOperation {
  readonly requestId: string;
  readonly status: "inProgress" | "completed" | "cancelled";
  readonly policy: JsonObject;
  readonly change: VersionChange;
  readonly privateKeyPem: string;
  /** DER, base64. */
  readonly csr: string;
  /** What was signed; absent where the request's maker has it signed elsewhere. */
  readonly chainPem?: string;
}

/** The operations of one vault's certificates, one a name, and their policies. */
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

  /** @throws VaultError */
  get(name: string): CertificateOperation {
    const operation = this.find(name);
    if (operation) return operation;
    throw new VaultError(404, "PendingCertificateNotFound", `Pending certificate not found: ${name}`);
  }

  /** Call inside a transaction. @throws VaultError while another one is under way */
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

  /** The names of certificates with an operation under way whose result is at hand. */
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
