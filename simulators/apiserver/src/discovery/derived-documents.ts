import { createHash } from "node:crypto";
import { atOnce } from "@keelson/apimachinery";
import { contentKey, DocumentCache } from "@keelson/schema";

interface DerivedDocument {
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * Document cache that all clusters share. Most clusters serve the same resources, so they share documents. An idle cluster needs
 * no memory for documents.
 */
const shared = new DocumentCache<DerivedDocument>(200);

/** Source of derived documents. */
export interface Origin {
  /** Revision of the resources. Documents of the same revision are still valid. */
  readonly revision: number;
  all(): readonly { readonly type: object; readonly storageApiVersion: string }[];
}

/**
 * Documents that are derived from a cluster's resources. The documents are generated on demand, and generated again after the
 * resources change.
 */
export class DerivedDocuments {
  readonly #origin: Origin;
  #key = "";
  #keyRevision = -1;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** `etag` is the quoted SHA-512 of the body in uppercase hexadecimal digits, as in kube-apiserver. */
  get(name: string, make: () => Buffer): DerivedDocument {
    if (this.#keyRevision !== this.#origin.revision) {
      this.#key = atOnce(contentKey(this.#origin.all().map(({ type }) => type)));
      this.#keyRevision = this.#origin.revision;
    }
    return shared.getAtOnce(`${name} ${this.#key}`, () => {
      const body = make();
      return { body, etag: `"${createHash("sha512").update(body).digest("hex").toUpperCase()}"` };
    });
  }
}
