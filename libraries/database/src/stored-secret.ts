import type { SecretSource } from "@keelson/base";
import { errors } from "./errors.ts";
import type { Keyring } from "./keyring.ts";
import { isSealedSecret, open, type SealedSecret, type SecretPlace } from "./sealed-secret.ts";

/** What was found where a secret is declared. It is opened when somebody asks, which most reads never do. */
export class StoredSecret implements SecretSource {
  readonly #found: unknown;
  readonly #place: SecretPlace;
  readonly #keyring: Keyring;

  constructor(found: unknown, place: SecretPlace, keyring: Keyring) {
    this.#found = found;
    this.#place = place;
    this.#keyring = keyring;
  }

  /** The key that seals it. `undefined` where what was found is not sealed. */
  get keyId(): string | undefined {
    return isSealedSecret(this.#found) ? this.#found.keyId : undefined;
  }

  /** @throws EncryptionKeyMissing, SecretTampered */
  open(): string {
    if (isSealedSecret(this.#found)) return open(this.#found, this.#place, this.#keyring);
    const { path, id, collection } = this.#place;
    throw errors.SecretTampered(
      `${path} of document ${id} in ${collection} must be sealed, but is not, or in no known way: this program did not ` +
        "write it. Restore the document, or write the secret anew.",
    );
  }

  /**
   * The secret as it is stored, when it may be stored at `place` once more: it was sealed for that very place and
   * with the current key. `undefined` when it has to be opened and sealed anew.
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
