import { hash, randomUUID } from "node:crypto";
import { scalarStringAt } from "@keelson/apimachinery";
import { type Clock, objectAt, stringsAt, valueAt } from "@keelson/base";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ClusterKeys } from "./cluster-keys.ts";
import { hasTokenForm } from "./signing-key.ts";
import type { TokenVerdict } from "./token-verdict.ts";
import { authenticated, serviceAccountGroups, serviceAccountName, type User } from "./user.ts";

/** Issuer of tokens in Secrets. It differs from the cluster's issuer. */
const legacyIssuer = "kubernetes/serviceaccount";
const credentialId = "authentication.kubernetes.io/credential-id";
const maxKnownTokens = 10_000;
/**
 * Grace period in milliseconds after an object's deletion timestamp. During this time, tokens that are bound to the object remain
 * valid.
 */
const deletionLeewayMs = 60_000;

export interface ObjectIdentity {
  readonly name: string;
  readonly uid: string;
}

/** Claims of a token. All referenced objects must still exist when the token is used. */
export interface TokenContent {
  readonly namespace: string;
  readonly serviceAccount: ObjectIdentity;
  readonly audiences: readonly string[];
  /** Time of issue, in seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /**
   * Time by which the client should have renewed the token, in seconds since 1970. Set only for tokens with an extended lifetime.
   */
  readonly warnAfter?: number;
  readonly pod?: ObjectIdentity;
  readonly secret?: ObjectIdentity;
  readonly node?: ObjectIdentity;
}

/** Token with a verified signature. Each use of the token checks the objects to which the token is bound. */
interface KnownToken {
  readonly user: User;
  readonly audiences: readonly string[];
  /** Start of the validity, in seconds since 1970. 0 for tokens in Secrets, which never expire. */
  readonly notBefore: number;
  readonly expiresAt: number;
  readonly holders: readonly Holder[];
}

/** Object to which a token is bound. `seen` is the object's revision at the last check. */
interface Holder {
  readonly bucket: string;
  readonly key: string;
  readonly uid: string;
  readonly gone: string;
  /** Hash of the token, for a token in a Secret. The token is valid only as long as the Secret contains it. */
  readonly tokenHash: string | undefined;
  seen: number;
}

/** Issues and authenticates service account tokens of a cluster (JSON web tokens, RFC 7519). */
export class ServiceAccountTokens {
  readonly #store: RevisionStore;
  readonly #keys: ClusterKeys;
  readonly #clock: Clock;
  readonly issuer: string;
  /** Tokens by SHA-256. The oldest entries are evicted first. */
  readonly #known = new Map<string, KnownToken>();

  constructor(store: RevisionStore, keys: ClusterKeys, clock: Clock, issuer: string) {
    this.#store = store;
    this.#keys = keys;
    this.#clock = clock;
    this.issuer = issuer;
  }

  async issue(content: TokenContent): Promise<string> {
    const key = await this.#keys.tokenKey();
    const { namespace, serviceAccount, audiences, issuedAt, expiresAt, warnAfter, pod, secret, node } =
      content;
    return key.sign({
      aud: audiences,
      exp: expiresAt,
      iat: issuedAt,
      iss: this.issuer,
      jti: randomUUID(),
      "kubernetes.io": {
        namespace,
        ...(node ? { node: node.uid ? node : { name: node.name } } : {}),
        ...(pod ? { pod } : {}),
        ...(secret ? { secret } : {}),
        serviceaccount: serviceAccount,
        ...(warnAfter ? { warnafter: warnAfter } : {}),
      },
      nbf: issuedAt,
      sub: serviceAccountName(namespace, serviceAccount.name),
    });
  }

  /**
   * Issues a token for a Secret of type `kubernetes.io/service-account-token`. The token is valid until the Secret is deleted.
   */
  async issueForSecret(namespace: string, account: ObjectIdentity, secret: string): Promise<string> {
    const key = await this.#keys.tokenKey();
    return key.sign({
      iss: legacyIssuer,
      "kubernetes.io/serviceaccount/namespace": namespace,
      "kubernetes.io/serviceaccount/secret.name": secret,
      "kubernetes.io/serviceaccount/service-account.name": account.name,
      "kubernetes.io/serviceaccount/service-account.uid": account.uid,
      sub: serviceAccountName(namespace, account.name),
    });
  }

  /** Validates a token. Returns undefined if it is not a service account token of this cluster. */
  judge(token: string, audiences: readonly string[]): TokenVerdict | undefined {
    const known = this.#find(token);
    if (!known) return undefined;
    const now = this.#clock.now().getTime();
    if (known.expiresAt * 1_000 <= now) return refused("service account token has expired");
    if (known.notBefore * 1_000 > now) return refused("service account token is not valid yet");
    for (const holder of known.holders) {
      const why = this.#problemOf(holder, now);
      if (why) return refused(why);
    }
    const meant = known.audiences.filter((each) => audiences.includes(each));
    if (meant.length > 0) return { kind: "accepted", user: known.user, audiences: meant };
    return refused(
      `token audiences ${JSON.stringify(known.audiences)} is invalid for the target audiences ${JSON.stringify(audiences)}`,
    );
  }

  #find(token: string): KnownToken | undefined {
    if (!hasTokenForm(token)) return undefined;
    const hashed = hash("sha256", token, "base64");
    const known = this.#known.get(hashed);
    if (known) return known;
    const claims = this.#keys.findTokenKey()?.verify(token);
    const read = claims && (this.#readBound(claims) ?? this.#readLegacy(claims, hashed));
    if (!read) return undefined;
    const [oldest] = this.#known.size >= maxKnownTokens ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hashed, read);
    return read;
  }

  #readBound(claims: Readonly<Record<string, unknown>>): KnownToken | undefined {
    if (claims.iss !== this.issuer) return undefined;
    const own = objectAt(claims, "kubernetes.io");
    const namespace = scalarStringAt(own, "namespace");
    const account = identityAt(own, "serviceaccount");
    if (!account) return undefined;
    const [pod, secret, node] = [identityAt(own, "pod"), identityAt(own, "secret"), identityAt(own, "node")];
    const gone = "service account token has been invalidated";
    const holders = [
      accountHolder(namespace, account),
      ...(pod ? [holderOf("/pods", `${namespace}/${pod.name}`, pod.uid, gone)] : []),
      ...(secret ? [holderOf("/secrets", `${namespace}/${secret.name}`, secret.uid, gone)] : []),
      // If the token is bound to a pod, the node claim is only informational.
      ...(node && !pod ? [holderOf("/nodes", node.name, node.uid, gone)] : []),
    ];
    const prefix = "authentication.kubernetes.io";
    const extra = {
      [credentialId]: [`JTI=${scalarStringAt(claims, "jti")}`],
      ...(node ? { [`${prefix}/node-name`]: [node.name] } : {}),
      ...(node?.uid ? { [`${prefix}/node-uid`]: [node.uid] } : {}),
      ...(pod ? { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid] } : {}),
    };
    return {
      user: userOf(namespace, account, extra),
      audiences: stringsAt(claims, "aud"),
      notBefore: Number(claims.nbf),
      expiresAt: Number(claims.exp),
      holders,
    };
  }

  #readLegacy(claims: Readonly<Record<string, unknown>>, hashed: string): KnownToken | undefined {
    if (claims.iss !== legacyIssuer) return undefined;
    const claim = (name: string) => scalarStringAt(claims, `kubernetes.io/serviceaccount/${name}`);
    const namespace = claim("namespace");
    const account = { name: claim("service-account.name"), uid: claim("service-account.uid") };
    const secretKey = `${namespace}/${claim("secret.name")}`;
    const invalid = "service account token has been invalidated";
    return {
      user: userOf(namespace, account),
      audiences: [this.issuer],
      notBefore: 0,
      expiresAt: Number.POSITIVE_INFINITY,
      holders: [
        accountHolder(namespace, account),
        { ...holderOf("/secrets", secretKey, "", invalid), tokenHash: hashed },
      ],
    };
  }

  #problemOf(holder: Holder, now: number): string | undefined {
    const { bucket, key, uid, gone, tokenHash } = holder;
    const stored = this.#store.get(bucket, key);
    if (!stored) return gone;
    if (stored.revision === holder.seen) return undefined;
    const { metadata } = stored.object;
    if (uid !== "" && metadata.uid !== uid) {
      return `the uid of ${bucket.slice(1)} ${key} (${metadata.uid}) does not match the claim (${uid})`;
    }
    if (metadata.deletionTimestamp) {
      return Date.parse(metadata.deletionTimestamp) < now - deletionLeewayMs ? gone : undefined;
    }
    if (tokenHash !== undefined && tokenHash !== hash("sha256", tokenIn(stored), "base64")) return gone;
    holder.seen = stored.revision;
    return undefined;
  }
}

function refused(why: string): TokenVerdict {
  return { kind: "refused", why };
}

function tokenIn({ object }: StoredObject): string {
  return Buffer.from(scalarStringAt(object, "data", "token"), "base64").toString();
}

function identityAt(value: unknown, member: string): ObjectIdentity | undefined {
  if (valueAt(value, member) === undefined) return undefined;
  return { name: scalarStringAt(value, member, "name"), uid: scalarStringAt(value, member, "uid") };
}

function accountHolder(namespace: string, { name, uid }: ObjectIdentity): Holder {
  return holderOf("/serviceaccounts", `${namespace}/${name}`, uid, `serviceaccounts "${name}" not found`);
}

function holderOf(bucket: string, key: string, uid: string, gone: string): Holder {
  return { bucket, key, uid, gone, tokenHash: undefined, seen: 0 };
}

function userOf(
  namespace: string,
  { name, uid }: ObjectIdentity,
  extra?: Readonly<Record<string, readonly string[]>>,
): User {
  const rest = { uid, ...(extra ? { extra } : {}) };
  return authenticated(serviceAccountName(namespace, name), serviceAccountGroups(namespace), rest);
}
