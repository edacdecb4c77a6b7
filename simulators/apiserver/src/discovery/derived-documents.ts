import { createHash } from "node:crypto";
import { atOnce } from "@keelson/apimachinery";
import { contentKey, DocumentCache } from "@keelson/schema";

interface DerivedDocument {
  readonly body: Buffer;
  readonly etag: string;
}

/** Cache for all clusters: most serve the same resources, and idle clusters keep no documents. */
const shared = new DocumentCache<DerivedDocument>(200);

/** Source of derived documents. */
export interface Origin {
  /** An equal value means that nothing has changed. */
  readonly revision: number;
  all(): readonly { readonly type: object; readonly storageApiVersion: string }[];
}

/** Documents derived from a cluster's resources. Generated on demand and again after changes. */
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
