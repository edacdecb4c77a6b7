import type { SecretSource } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import type { Keyring } from "./keyring.ts";
import { isSealedSecret, open, type SealedSecret, type SecretPlace } from "./sealed-secret.ts";

/**
 * Encrypted value of a secret, as stored. The value is decrypted at its first use, because most reads of a document never use it.
 */
export class StoredSecret implements SecretSource {
  readonly #found: unknown;
  readonly #place: SecretPlace;
  readonly #keyring: Keyring;

  constructor(found: unknown, place: SecretPlace, keyring: Keyring) {
    this.#found = found;
    this.#place = place;
    this.#keyring = keyring;
  }

  /** ID of the encryption key. `undefined` if the stored value is not encrypted. */
  get keyId(): string | undefined {
    return isSealedSecret(this.#found) ? this.#found.keyId : undefined;
  }

  /** Decrypts the value. @throws EncryptionKeyMissing, SecretTampered */
  open(): string {
    if (isSealedSecret(this.#found)) return open(this.#found, this.#place, this.#keyring);
    const { path, id, collection } = this.#place;
    throw errors.SecretTampered(
      `${path} of document ${id} in ${collection} must be sealed, but is not, or in no known way: this program did not ` +
        "write it. Restore the document, or write the secret again.",
    );
  }

  /**
   * Returns the ciphertext if it belongs to `place` and uses the current key, so that it can be written back. Otherwise returns
   * `undefined`.
   */
  sealedFor(place: SecretPlace): SealedSecret | undefined {
    const found = this.#found;
    if (!isSealedSecret(found) || found.keyId !== this.#keyring.currentKeyId()) return undefined;
    const { collection, partitionKey, id, path } = this.#place;
    const isThere =
      path === place.path &&
      id === place.id &&
      partitionKey === place.partitionKey &&
      collection === place.collection;
    return isThere ? found : undefined;
  }
}
