import { get } from "node:https";
import { rootCertificates } from "node:tls";
import { timeLimit } from "@keelson/base";
import type * as jose from "jose";
import { asJson, nonEmptyStringAt } from "../base/json.ts";

const limitMs = 10_000;
const limitBytes = 256 * 1024;

/** Function that returns the keys of a token issuer. Rejects if the issuer's metadata is unavailable. */
export type IssuerKeys = (issuer: string) => Promise<jose.JSONWebKeySet>;

/**
 * Returns a function that reads issuer keys by OpenID Connect discovery over HTTPS. `caPem` is trusted in addition to the public
 * CAs.
 */
export function issuerKeysOver(caPem: string | undefined): IssuerKeys {
  const ca = caPem === undefined ? undefined : [...rootCertificates, caPem];
  return async (issuer) => {
    const base = issuer.replace(/\/+$/, "");
    const configuration = asJson(await fetchJson(`${base}/.well-known/openid-configuration`, ca));
    if (nonEmptyStringAt(configuration, "issuer") !== issuer)
      throw new Error(`${issuer} calls itself something else`);
    const keys = asJson(await fetchJson(nonEmptyStringAt(configuration, "jwks_uri") ?? "", ca));
    if (typeof keys !== "object" || keys === null || !("keys" in keys) || !Array.isArray(keys.keys)) {
      throw new Error(`${issuer} has no keys`);
    }
    return { keys: keys.keys as jose.JWK[] };
  };
}

function fetchJson(url: string, ca: readonly string[] | undefined): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const options = { agent: false, signal: timeLimit(limitMs), ...(ca ? { ca: [...ca] } : {}) };
  const outgoing = get(url, options, (incoming) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("error", reject);
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) outgoing.destroy(new Error(`${url} is too large`));
      else chunks.push(chunk);
    });
    incoming.on("end", () => {
      if (incoming.statusCode !== 200)
        return reject(new Error(`${url} returned status ${incoming.statusCode}`));
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      } catch (error) {
        reject(error);
      }
    });
  });
  outgoing.on("error", reject);
  return promise;
}
