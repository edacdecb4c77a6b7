import { createHash, randomBytes, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

export function sha256(content: Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

export interface StoredManifest {
  readonly mediaType: string;
  readonly content: Buffer;
}

interface Part {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const indexType = "application/vnd.oci.image.index.v1+json";

/** Content of a test registry, in memory. */
export class RegistryStore {
  /** Blobs by `repository@digest`. */
  readonly blobs = new Map<string, Buffer>();
  /** Manifests by `repository@digest` and `repository:tag`. */
  readonly manifests = new Map<string, StoredManifest>();

  /** Returns the complete content as an object that tests compare with `deepEqual`. */
  contents(): Readonly<Record<string, string>> {
    const blobs = [...this.blobs].map(([name, content]) => [name, sha256(content)] as const);
    const manifests = [...this.manifests].map(
      ([name, { mediaType, content }]) => [name, `${mediaType} ${sha256(content)}`] as const,
    );
    return Object.fromEntries([...blobs, ...manifests].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  addBlob(repository: string, content: Buffer, mediaType = "application/octet-stream"): Part {
    const digest = sha256(content);
    this.blobs.set(`${repository}@${digest}`, content);
    return { mediaType, digest, size: content.length };
  }

  addManifest(repository: string, mediaType: string, value: object, tag?: string): Part {
    const content = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...value }));
    const digest = sha256(content);
    for (const name of [`${repository}@${digest}`, ...(tag ? [`${repository}:${tag}`] : [])])
      this.manifests.set(name, { mediaType, content });
    return { mediaType, digest, size: content.length };
  }

  /** Adds an image. A number in `layers` creates a random layer of that size. Returns the descriptor of its manifest. */
  addImage(repository: string, layers: readonly (number | Buffer)[], tag?: string): Part {
    const config = Buffer.from(JSON.stringify({ os: "linux", architecture: "amd64", id: randomUUID() }));
    return this.addManifest(
      repository,
      manifestType,
      {
        config: this.addBlob(repository, config, "application/vnd.oci.image.config.v1+json"),
        layers: layers.map((layer) =>
          this.addBlob(
            repository,
            typeof layer === "number" ? randomBytes(layer) : layer,
            "application/vnd.oci.image.layer.v1.tar+gzip",
          ),
        ),
      },
      tag,
    );
  }

  addIndex(repository: string, images: readonly Part[], tag?: string): Part {
    const manifests = images.map((image, index) => ({
      ...image,
      platform: { os: "linux", architecture: index === 0 ? "amd64" : `other${index}` },
    }));
    return this.addManifest(repository, indexType, { manifests }, tag);
  }

  /** Adds a release payload that lists the given images (`registry/repository@digest`). */
  async addPayload(repository: string, images: readonly string[], compress = true): Promise<Part> {
    const references = {
      kind: "ImageStream",
      spec: {
        tags: images.map((name, index) => ({ name: `image-${index}`, from: { kind: "DockerImage", name } })),
      },
    };
    const layer = await archive({
      "release-manifests/image-references": JSON.stringify(references),
      "release-manifests/release-metadata": "{}",
    });
    return this.addImage(repository, [randomBytes(5_000), compress ? gzipSync(layer) : layer]);
  }

  /** Adds a cosign signature. `sign` signs the claim. */
  addCosignSignature(
    repository: string,
    digest: string,
    sign: (claim: Buffer) => Buffer,
    signed = digest,
  ): Part {
    const claim = Buffer.from(
      JSON.stringify({
        critical: { image: { "docker-manifest-digest": signed }, type: "cosign container image signature" },
      }),
    );
    const layer = this.addBlob(repository, claim, "application/vnd.dev.cosign.simplesigning.v1+json");
    const annotations = { "dev.cosignproject.cosign/signature": sign(claim).toString("base64") };
    const config = this.addBlob(repository, Buffer.from("{}"), "application/vnd.oci.image.config.v1+json");
    return this.addManifest(
      repository,
      manifestType,
      { config, layers: [{ ...layer, annotations }] },
      `${digest.replace(":", "-")}.sig`,
    );
  }
}

/** Creates a tar archive of these files. */
export async function archive(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const stream = pack();
  for (const [name, content] of Object.entries(files)) stream.entry({ name }, content);
  stream.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks);
}
