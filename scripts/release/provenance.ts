import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** File of a release with its SHA-256 digest in hexadecimal form. */
export interface Subject {
  readonly name: string;
  readonly sha256: string;
}

export interface Build {
  readonly version: string;
  /** Commit of the sources. */
  readonly commit: string;
  /** URI of the repository. Default: the provenance contains only the commit. */
  readonly source?: string;
  /** URI of the system that ran the build. */
  readonly builder: string;
  /** Further inputs of the build by name, with their SHA-256 digests. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly startedOn: Date;
  readonly finishedOn: Date;
}

/** Dead Simple Signing Envelope (DSSE). */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

const payloadType = "application/vnd.in-toto+json";

/** Returns an in-toto statement with SLSA provenance (version 1) about `subjects`. */
export function provenance(subjects: readonly Subject[], build: Build): object {
  const inputs = Object.entries(build.inputs).map(([name, sha256]) => ({ name, digest: { sha256 } }));
  const source = {
    name: "source",
    ...(build.source === undefined ? {} : { uri: build.source }),
    digest: { gitCommit: build.commit },
  };
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:keelson:release:1",
        externalParameters: { version: build.version },
        resolvedDependencies: [source, ...inputs],
      },
      runDetails: {
        builder: { id: build.builder },
        metadata: {
          startedOn: build.startedOn.toISOString(),
          finishedOn: build.finishedOn.toISOString(),
        },
      },
    },
  };
}

/** Signs a statement with an Ed25519 key. */
export function signEnvelope(statement: object, key: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, preAuthentication(payload), key).toString("base64");
  const signatures = [{ keyid: keyId(createPublicKey(key)), sig }];
  return { payloadType, payload: payload.toString("base64"), signatures };
}

/** Returns the statement of an envelope, or `undefined` if the envelope has no valid signature of the key. */
export function verifyEnvelope(envelope: Envelope, publicKey: KeyObject): object | undefined {
  const payload = Buffer.from(envelope.payload, "base64");
  const isSigned =
    envelope.payloadType === payloadType &&
    envelope.signatures.some(({ sig }) =>
      verify(null, preAuthentication(payload), publicKey, Buffer.from(sig, "base64")),
    );
  return isSigned ? JSON.parse(payload.toString()) : undefined;
}

/** Returns the SHA-256 digest of the public key in its DER form. */
export function keyId(publicKey: KeyObject): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
}

/** Returns the bytes that a DSSE signature covers: the payload and its type, each with its length. */
function preAuthentication(payload: Buffer): Buffer {
  const header = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(header), payload]);
}
