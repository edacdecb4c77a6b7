import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { objectAt, Secret } from "@keelson/base";

/** JSON web signature algorithms (RFC 7518 section 3.1) of service account tokens. */
type Algorithm = "ES256" | "RS256";

/** Signs and verifies tokens of one cluster (RFC 7515, compact form). */
export class SigningKey {
  readonly keyId: string;
  readonly algorithm: Algorithm;
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  /** @throws TypeError if the PEM is not an RSA or P-256 key */
  constructor(privateKeyPem: string) {
    this.#private = createPrivateKey(privateKeyPem);
    this.#public = createPublicKey(this.#private);
    this.algorithm = algorithmOf(this.#public);
    const der = this.#public.export({ type: "spki", format: "der" });
    this.keyId = createHash("sha256").update(der).digest("base64url");
  }

  static generatePem(): string {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  }

  /** Public key as a JSON web key (RFC 7517). */
  get jwk(): JsonWebKey {
    return {
      use: "sig",
      ...this.#public.export({ format: "jwk" }),
      kid: this.keyId,
      alg: this.algorithm,
    };
  }

  /** Private key in PEM (PKCS #8). */
  get privatePem(): Secret {
    return new Secret(this.#private.export({ type: "pkcs8", format: "pem" }).toString());
  }

  /** Public key in PEM (SPKI). */
  get publicPem(): string {
    return this.#public.export({ type: "spki", format: "pem" }).toString();
  }

  sign(claims: Readonly<Record<string, unknown>>): string {
    const signed = `${encode({ alg: this.algorithm, kid: this.keyId })}.${encode(claims)}`;
    const options = { key: this.#private, dsaEncoding: "ieee-p1363" } as const;
    return `${signed}.${sign("sha256", Buffer.from(signed), options).toString("base64url")}`;
  }

  /** Returns the claims of a token, or undefined if this key did not sign the token. */
  verify(token: string): Readonly<Record<string, unknown>> | undefined {
    const [header = "", payload = "", signature = "", ...more] = token.split(".");
    if (more.length > 0 || signature === "") return undefined;
    const { alg, kid } = decode(header);
    if (alg !== this.algorithm || (kid !== undefined && kid !== this.keyId)) return undefined;
    const options = { key: this.#public, dsaEncoding: "ieee-p1363" } as const;
    const bytes = Buffer.from(signature, "base64url");
    return verify("sha256", Buffer.from(`${header}.${payload}`), options, bytes)
      ? decode(payload)
      : undefined;
  }
}

function algorithmOf(key: KeyObject): Algorithm {
  if (key.asymmetricKeyType === "rsa") return "RS256";
  if (key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1") return "ES256";
  throw new TypeError("service account tokens need an RSA or P-256 key");
}

function encode(value: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return objectAt(value);
  } catch {
    return {};
  }
}

/** True if a string has the form of a signed token: three parts, of which the first is a JSON object. */
export function hasTokenForm(token: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(token);
}
