import { isPlainObject, listAt, stringAt, valueAt } from "@keelson/base";
import { errors } from "../base/errors.ts";
import { stringMapAt } from "../base/fields.ts";

/** URL of content that Ignition fetches. */
export interface IgnitionResource {
  readonly source: string;
  readonly compression: "" | "gzip";
  /** Hash of the transferred content: `sha512-{hex}` or `sha256-{hex}`. */
  readonly hash?: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface IgnitionFile {
  readonly path: string;
  readonly contents?: IgnitionResource;
  readonly append: readonly IgnitionResource[];
}

/** Supported subset of an Ignition configuration (specification 3). Disks and units are not simulated. */
export interface IgnitionConfig {
  /** Configuration that replaces this one. */
  readonly replace?: IgnitionResource;
  /** Configurations that are merged into this one, in order. */
  readonly merge: readonly IgnitionResource[];
  /** CA certificates that verify the servers of this configuration's URLs. */
  readonly authorities: readonly IgnitionResource[];
  readonly files: readonly IgnitionFile[];
  /** SSH keys of the user `core`. */
  readonly sshAuthorizedKeys: readonly string[];
}

/** Highest minor version of specification 3 that Ignition 2.20 supports. */
const newestMinor = 5;

/** Parses an Ignition configuration. @throws InvalidIgnition with the invalid property */
export function parseIgnitionConfig(bytes: Buffer): IgnitionConfig {
  const config = parseJson(bytes);
  const version = stringAt(config, "ignition", "version") ?? "";
  const minor = /^3\.(\d+)\.\d+$/.exec(version)?.[1];
  if (minor === undefined || Number(minor) > newestMinor)
    throw errors.InvalidIgnition(
      version === ""
        ? "ignition.version is missing"
        : `ignition.version ${JSON.stringify(version)} is unsupported: it must be from 3.0.0 to 3.${newestMinor}.0`,
    );
  const replace = valueAt(config, "ignition", "config", "replace");
  const replaced = stringAt(replace, "source")
    ? parseResource(replace, "ignition.config.replace")
    : undefined;
  const resources = (list: readonly unknown[], where: string) =>
    list.map((each, index) => parseResource(each, `${where}[${index}]`));
  return {
    ...(replaced ? { replace: replaced } : {}),
    merge: resources(listAt(config, "ignition", "config", "merge"), "ignition.config.merge"),
    authorities: resources(
      listAt(config, "ignition", "security", "tls", "certificateAuthorities"),
      "ignition.security.tls.certificateAuthorities",
    ),
    files: listAt(config, "storage", "files").map(parseFile),
    sshAuthorizedKeys: listAt(config, "passwd", "users")
      .filter((user) => stringAt(user, "name") === "core")
      .flatMap((user) => listAt(user, "sshAuthorizedKeys"))
      .filter((key) => typeof key === "string"),
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (isPlainObject(value)) return value;
  } catch {
    // Omits the parser's error because it quotes the configuration, which contains secrets.
  }
  throw errors.InvalidIgnition("the configuration is not a JSON object");
}

function parseFile(value: unknown, index: number): IgnitionFile {
  const where = `storage.files[${index}]`;
  const path = stringAt(value, "path");
  if (!path?.startsWith("/")) throw errors.InvalidIgnition(`${where}.path must be an absolute path`);
  const contents = valueAt(value, "contents");
  return {
    path,
    ...(stringAt(contents, "source") === undefined
      ? {}
      : { contents: parseResource(contents, `${where}.contents`) }),
    append: listAt(value, "append").map((each, part) => parseResource(each, `${where}.append[${part}]`)),
  };
}

function parseResource(value: unknown, where: string): IgnitionResource {
  const source = stringAt(value, "source");
  if (!source) throw errors.InvalidIgnition(`${where}.source is missing`);
  const compression = stringAt(value, "compression") ?? "";
  if (compression !== "" && compression !== "gzip")
    throw errors.InvalidIgnition(`${where}.compression ${JSON.stringify(compression)} must be "gzip"`);
  const hash = stringAt(value, "verification", "hash");
  const headers = listAt(value, "httpHeaders").map((header) => stringMapAt({ header }, "header"));
  return {
    source,
    compression,
    ...(hash ? { hash } : {}),
    headers: Object.fromEntries(
      headers.flatMap(({ name, value: text }) => (name && text ? [[name, text] as const] : [])),
    ),
  };
}
