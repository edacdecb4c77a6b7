import { createPublicKey, createSign, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { StateDirectory } from "../../support/program.ts";

/** External OIDC token issuer, for example of a CI pipeline. The simulated Azure can read the issuer's public keys. */
export class TokenIssuer implements AsyncDisposable {
  readonly #key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  readonly #server;

  private constructor(state: StateDirectory) {
    const pem = (name: string) => readFileSync(state.file(`${name}.pem`));
    this.#server = createServer({ cert: pem("tls"), key: pem("tls-key") }, ({ url }, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(url === "/keys" ? this.#keySet() : this.#configuration()));
    });
  }

  static async start(state: StateDirectory): Promise<TokenIssuer> {
    const issuer = new TokenIssuer(state);
    await new Promise<void>((resolve) => issuer.#server.listen(0, "127.0.0.1", resolve));
    return issuer;
  }

  get url(): string {
    const address = this.#server.address();
    return `https://localhost:${typeof address === "object" ? address?.port : ""}`;
  }

  token(subject: string, audience: string): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: this.url, sub: subject, aud: audience, iat: now, nbf: now - 60, exp: now + 600 };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ alg: "RS256", typ: "JWT", kid: "one" })}.${part(claims)}`;
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(this.#key, "base64url")}`;
  }

  #configuration(): object {
    return { issuer: this.url, jwks_uri: `${this.url}/keys` };
  }

  #keySet(): object {
    const jwk = createPublicKey(this.#key).export({ format: "jwk" });
    return { keys: [{ ...jwk, kid: "one", use: "sig", alg: "RS256" }] };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }
}
