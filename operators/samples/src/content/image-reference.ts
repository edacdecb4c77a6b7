/** Parsed container image name, according to the grammar of github.com/distribution. No default values are added. */
export interface ImageReference {
  /** Registry as `host` or `host:port`. Empty if the name has no registry. */
  readonly registry: string;
  /** `ubi9/nodejs-22`. */
  readonly repository: string;
  readonly tag: string;
  /** Digest as `sha256:…`. Empty if the name has no digest. */
  readonly digest: string;
}

const component = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const registryPattern = new RegExp(`^(?:${label}(?:\\.${label})*)(?::[0-9]{1,5})?$`);
const repositoryPattern = new RegExp(`^${component}(?:/${component})*$`);
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const digestPattern = /^sha256:[0-9a-f]{64}$/;
const maxLength = 512;
const maxRepositoryLength = 255;

/** Parses names such as `ruby`, `quay.io/team/app:1.0` and `host:5000/a/b@sha256:…`. `undefined` for an invalid name. */
export function parseImageReference(text: string): ImageReference | undefined {
  if (text.length > maxLength) return undefined;
  const at = text.indexOf("@");
  const digest = at < 0 ? "" : text.slice(at + 1);
  const tagged = at < 0 ? text : text.slice(0, at);
  const colon = tagged.lastIndexOf(":");
  const hasTag = colon > tagged.lastIndexOf("/");
  const tag = hasTag ? tagged.slice(colon + 1) : "";
  const path = hasTag ? tagged.slice(0, colon) : tagged;
  const slash = path.indexOf("/");
  const first = path.slice(0, Math.max(slash, 0));
  const registry = /[.:]/.test(first) || first === "localhost" ? first : "";
  const repository = registry ? path.slice(slash + 1) : path;
  const valid =
    (registry === "" || registryPattern.test(registry)) &&
    repository.length <= maxRepositoryLength &&
    repositoryPattern.test(repository) &&
    (!hasTag || tagPattern.test(tag)) &&
    (at < 0 || digestPattern.test(digest));
  return valid ? { registry, repository, tag, digest } : undefined;
}

/** True if the string is a valid ImageStream tag. */
export function isTagName(text: string): boolean {
  return tagPattern.test(text);
}

/** True if the string is a valid ImageStream name, which is the last component of a repository. */
export function isImageStreamName(text: string): boolean {
  return text.length <= maxRepositoryLength && new RegExp(`^${component}$`).test(text);
}
