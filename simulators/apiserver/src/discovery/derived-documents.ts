import { createHash } from "node:crypto";
import { atOnce } from "@keelson/apimachinery";
import { contentKey, DocumentCache } from "@keelson/schema";

interface DerivedDocument {
  readonly body: Buffer;
  readonly etag: string;
}

/** One for all clusters: most of them serve the same resources, and an idle one keeps no documents of its own. */
const shared = new DocumentCache<DerivedDocument>(200);

/** What documents are derived from. */
export interface Origin {
  /** Equal means that nothing has changed. */
  readonly revision: number;
  all(): readonly { readonly type: object; readonly storageApiVersion: string }[];
}

/** Documents derived from a cluster's resources, made when first asked for and again when the resources change. */
export class DerivedDocuments {
  readonly #origin: Origin;
  #key = "";
  #keyRevision = -1;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** `etag` is the quoted SHA-512 of the body in capital hexadecimal digits, as kube-apiserver has it. */
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
