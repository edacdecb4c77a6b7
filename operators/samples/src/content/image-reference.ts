/** The name of a container image, taken apart as distribution's grammar has it; no defaults are filled in. */
export interface ImageReference {
  /** `host` or `host:port`; empty when the name gives none. */
  readonly registry: string;
  /** `ubi9/nodejs-22`. */
  readonly repository: string;
  readonly tag: string;
  /** `sha256:…`; empty when the name has none. */
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

/** `ruby`, `quay.io/team/app:1.0`, `host:5000/a/b@sha256:…`. `undefined` for what names no image. */
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

/** Whether a text can be the name of a tag of an ImageStream. */
export function isTagName(text: string): boolean {
  return tagPattern.test(text);
}

/** Whether a text can be the name of an ImageStream: it is the last part of a repository. */
export function isImageStreamName(text: string): boolean {
  return text.length <= maxRepositoryLength && new RegExp(`^${component}$`).test(text);
}
