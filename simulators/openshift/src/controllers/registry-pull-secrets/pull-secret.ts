import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { randomSuffix } from "../../base/names.ts";

/** ServiceAccount annotation with the name of its pull secret (openshift/openshift-controller-manager pkg/internalregistry). */
const reference = "openshift.io/internal-registry-pull-secret-ref";
/** Annotation of a pull secret with the name of its service account. */
const accountAnnotation = "openshift.io/internal-registry-auth-token.service-account";
/** Annotation of a pull secret with the type of its token. */
const bindingAnnotation = "openshift.io/internal-registry-auth-token.binding";

const maxAccountName = 58 - "-dockercfg".length;

/** Returns the name of an account's pull secret. */
export function pullSecretNameOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[reference] || undefined;
}

/** Returns a generated name for a new pull secret. */
export function newPullSecretName({ metadata }: KubeObject): string {
  return `${metadata.name.slice(0, maxAccountName)}-dockercfg-${randomSuffix()}`;
}

/** Returns the account of a pull secret. */
export function accountOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[accountAnnotation];
}

/**
 * Adds the pull secret to the account's annotation and both of its lists, `secrets` and `imagePullSecrets`. Returns the same
 * object if nothing changes.
 */
export function withPullSecret(account: KubeObject, name: string): KubeObject {
  const { metadata } = account;
  const named = { name };
  const add = (member: string): readonly unknown[] => {
    const present = listAt(account, member);
    return present.some((each) => stringAt(each, "name") === name) ? present : [...present, named];
  };
  const [secrets, imagePullSecrets] = [add("secrets"), add("imagePullSecrets")];
  const complete =
    metadata.annotations?.[reference] === name &&
    secrets.length === listAt(account, "secrets").length &&
    imagePullSecrets.length === listAt(account, "imagePullSecrets").length;
  if (complete) return account;
  const annotations = { ...metadata.annotations, [reference]: name };
  return { ...account, metadata: { ...metadata, annotations }, secrets, imagePullSecrets };
}

/** Removes the pull secret from its account. */
export function withoutPullSecret(account: KubeObject, name: string): KubeObject {
  const { [reference]: _, ...annotations } = account.metadata.annotations ?? {};
  const rest = (member: string) => listAt(account, member).filter((each) => stringAt(each, "name") !== name);
  return {
    ...account,
    metadata: { ...account.metadata, annotations },
    secrets: rest("secrets"),
    imagePullSecrets: rest("imagePullSecrets"),
  };
}

/** Returns a new pull secret without a token. */
export function emptyPullSecret({ metadata }: KubeObject, name: string): KubeObject {
  const { namespace, uid = "" } = metadata;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      ...(namespace === undefined ? {} : { namespace }),
      name,
      annotations: { [accountAnnotation]: metadata.name },
      ownerReferences: [{ apiVersion: "v1", kind: "ServiceAccount", name: metadata.name, uid }],
    },
    type: "kubernetes.io/dockercfg",
    data: dockerConfig({}),
  };
}

/** Returns a patch that writes a token to a pull secret for each registry host name. */
export function tokenPatch(token: string, hosts: readonly string[]): Readonly<Record<string, unknown>> {
  const auth = Buffer.from(`<token>:${token}`).toString("base64");
  return {
    metadata: { annotations: { [bindingAnnotation]: "bound" } },
    data: dockerConfig(Object.fromEntries(hosts.map((host) => [host, { auth }]))),
  };
}

/** Returns the token of a pull secret. `undefined` if the secret is for different host names. */
export function tokenIn(secret: KubeObject, hosts: readonly string[]): string | undefined {
  const { [member]: encoded } = objectAt(secret, "data");
  if (typeof encoded !== "string") return undefined;
  const entries = parsed(Buffer.from(encoded, "base64").toString());
  if (Object.keys(entries).toSorted().join() !== hosts.toSorted().join()) return undefined;
  const auth = stringAt(entries, hosts[0] ?? "", "auth") ?? "";
  const [user, token] = Buffer.from(auth, "base64").toString().split(":");
  return user === "<token>" && token ? token : undefined;
}

const member = ".dockercfg";

function dockerConfig(entries: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return { [member]: Buffer.from(JSON.stringify(entries)).toString("base64") };
}

function parsed(json: string): Record<string, unknown> {
  try {
    return objectAt(JSON.parse(json));
  } catch {
    return {};
  }
}

/** Returns the renewal time of a token. The token is renewed when two fifths of its lifetime remain. */
export function renewalOf(token: string): Date {
  const [, payload = ""] = token.split(".");
  const claims = parsed(Buffer.from(payload, "base64url").toString());
  const { iat, exp } = claims;
  if (typeof iat !== "number" || typeof exp !== "number") return new Date(0);
  return new Date((exp - (exp - iat) * remainingShare) * 1_000);
}

const remainingShare = 0.4;
