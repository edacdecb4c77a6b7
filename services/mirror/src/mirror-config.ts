import { type Clock, defineErrors, describeSchemaFaults, messageOf, Secret } from "@keelson/base";
import { type Static, Type } from "typebox";
import { Default, Errors } from "typebox/value";
import { azureRedirectHosts, defaultRegistries, fixedImages } from "./defaults.ts";
import type { MirrorOptions, RegistrySettings } from "./mirror-options.ts";
import type { RegistryCredential } from "./registry/credentials.ts";
import { parseCosignKey, type SignatureRule } from "./signatures/signature-policy.ts";

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ minLength: 1, description });
const texts = (description: string, value: readonly string[] = []) =>
  Type.Array(Type.String({ minLength: 1 }), { default: [...value], description });
const count = (description: string, value: number, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, default: value, description });
const file = (description: string) =>
  Type.Optional(text(`${description}. Relative paths start at the directory of the configuration file`));
const httpsUrl = (description: string, value: string) =>
  Type.String({ pattern: "^https://", default: value, description });

const registrySchema = Type.Object(
  {
    username: Type.Optional(text("user name; requires `password`")),
    password: Type.Optional(text("password or token")),
    authHosts: Type.Optional(texts("additional hosts of the registry's token service")),
    redirectHosts: Type.Optional(texts("hosts, or *.domain, to which the registry may redirect downloads")),
    caFile: file("CA certificates for connections to this registry, PEM. Default: the public CAs of Node.js"),
  },
  closed,
);

const signatureSchema = Type.Object(
  {
    repositories: Type.Array(Type.String({ pattern: "/" }), {
      minItems: 1,
      description:
        "REGISTRY/REPOSITORY, or REGISTRY/PATH/*. Images of these repositories are copied only with a valid signature",
    }),
    cosignKeyFiles: Type.Optional(
      texts("public keys, PEM. One of them must have created the cosign signature"),
    ),
    releaseKeyringFile: file("OpenPGP public keys, ASCII-armored. One of them must have signed the release"),
    signatureStores: texts("URLs at which OpenPGP signatures are published", [
      "https://mirror.openshift.com/pub/openshift-v4/signatures/openshift/release",
    ]),
    caFile: file(
      "CA certificates for connections to the signature stores, PEM. Default: the public CAs of Node.js",
    ),
  },
  closed,
);

/** Configuration of `keelson mirror`. Unknown properties are rejected. */
const mirrorConfigSchema = Type.Object(
  {
    destination: Type.Optional(text("host of the destination registry")),
    images: texts("images to copy in addition to the images of releases", fixedImages),
    latest: Type.String({ default: "4.19.24", description: "version that the argument `latest` selects" }),
    latestPayload: Type.Optional(
      Type.String({
        description:
          "release image of the version in `latest`. It is used without the release graph. Default: quay.io/openshift-release-dev/ocp-release:VERSION-x86_64",
      }),
    ),
    minimum: Type.String({
      default: "4.12.0",
      description: "oldest version that is mirrored by default",
    }),
    deny: texts("versions that are never mirrored", ["4.8.8"]),
    graph: Type.Object(
      {
        url: httpsUrl(
          "URL of the release graph (Cincinnati protocol)",
          "https://amd64.ocp.releases.ci.openshift.org/graph",
        ),
        caFile: file("CA certificates for connections to the graph, PEM. Default: the public CAs of Node.js"),
        repositories: Type.Record(Type.String(), Type.String(), {
          default: { "registry.ci.openshift.org/ocp/release": "quay.io/openshift-release-dev/ocp-release" },
          description: "repositories from which payloads are copied, by the repository in the graph",
        }),
      },
      { ...closed, default: {} },
    ),
    registries: Type.Record(Type.String(), registrySchema, {
      default: {},
      description:
        "registries by host, in addition to the well-known registries. The mirror connects only to these registries",
    }),
    signatures: Type.Array(signatureSchema, { default: [] }),
    parallelImages: count("maximum number of images that are copied concurrently", 6, 64),
    parallelBlobs: count("maximum number of parts of one image that are copied concurrently", 3, 16),
    chunkBytes: Type.Integer({
      minimum: 64 * 1024,
      maximum: 256 * 1024 * 1024,
      default: 8 * 1024 * 1024,
      description: "bytes per upload request. Each concurrent upload uses this amount of memory",
    }),
    attempts: count(
      "maximum number of attempts of each request, and of consecutive attempts without progress for each part",
      6,
      100,
    ),
    firstDelayMs: count(
      "milliseconds before the second attempt. The delay doubles with each further attempt",
      1_000,
      600_000,
    ),
    maxDelayMs: count("maximum milliseconds between attempts", 30_000, 3_600_000),
  },
  closed,
);

export type MirrorConfig = Static<typeof mirrorConfigSchema>;

const configErrors = defineErrors({ InvalidConfiguration: { retry: "never" } });

/** Validates a configuration and adds the defaults. @throws InvalidConfiguration naming every invalid property */
export function parseMirrorConfig(value: unknown, source: string): MirrorConfig {
  const filled = Default(mirrorConfigSchema, structuredClone(value));
  const problems = describeSchemaFaults(mirrorConfigSchema, filled, Errors);
  if (problems.length > 0) throw configErrors.InvalidConfiguration(`${source}: ${problems.join("; ")}`);
  return filled as MirrorConfig;
}

/** Settings that are not part of the configuration file. */
export interface MirrorSources {
  readonly destination: string;
  /** Registry credentials. They take precedence over credentials in the configuration. */
  readonly credentials: Readonly<Record<string, RegistryCredential>>;
  readonly versions: readonly string[] | undefined;
  /** True to copy the additional images. False to copy only the images of releases. */
  readonly withImages: boolean;
  /** Reads a file that the configuration references. */
  readonly readFile: (path: string) => string;
  readonly stateDirectory: string;
  readonly dryRun: boolean;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly onEvent: MirrorOptions["onEvent"];
  readonly signal: AbortSignal;
}

/** Returns the options for mirroring. @throws InvalidConfiguration for an unreadable file or an invalid key */
export function mirrorOptionsOf(config: MirrorConfig, sources: MirrorSources): MirrorOptions {
  const { destination, credentials, withImages, readFile, ...rest } = sources;
  const { latest, minimum, deny, graph, chunkBytes, parallelImages, parallelBlobs } = config;
  const { attempts, firstDelayMs, maxDelayMs } = config;
  return {
    ...rest,
    destination,
    registries: registriesOf(config, sources),
    images: withImages ? config.images : [],
    latest,
    latestPayload: config.latestPayload ?? `quay.io/openshift-release-dev/ocp-release:${latest}-x86_64`,
    rules: { minimum, deny },
    graph: { url: graph.url, repositories: graph.repositories, ...caPemOf(graph.caFile, readFile) },
    signatures: config.signatures.map((rule) => signatureRule(rule, readFile)),
    limits: {
      parallelImages,
      parallelBlobs,
      chunkBytes,
      attempts: { attempts, firstMs: firstDelayMs, factor: 2, maxMs: maxDelayMs, jitter: 0.2 },
    },
  };
}

function registriesOf(
  { registries }: MirrorConfig,
  { destination, credentials, readFile }: MirrorSources,
): Readonly<Record<string, RegistrySettings>> {
  const hosts = new Set([...Object.keys(defaultRegistries), ...Object.keys(registries), destination]);
  const settings = [...hosts].map((host): [string, RegistrySettings] => {
    const { username, password, caFile, ...said } = registries[host] ?? {};
    const known = defaultRegistries[host] ?? {
      authHosts: [],
      redirectHosts: host === destination ? azureRedirectHosts : [],
    };
    const configured: RegistryCredential =
      username !== undefined && password !== undefined
        ? { kind: "password", username, password: new Secret(password) }
        : { kind: "anonymous" };
    return [
      host,
      {
        credential: credentials[host] ?? configured,
        authHosts: said.authHosts ?? known.authHosts,
        redirectHosts: said.redirectHosts ?? known.redirectHosts,
        ...caPemOf(caFile, readFile),
      },
    ];
  });
  return Object.fromEntries(settings);
}

function signatureRule(
  rule: MirrorConfig["signatures"][number],
  readFile: (path: string) => string,
): SignatureRule {
  const { repositories, cosignKeyFiles, releaseKeyringFile, signatureStores, caFile } = rule;
  if (!cosignKeyFiles?.length && releaseKeyringFile === undefined) {
    throw configErrors.InvalidConfiguration(
      `/signatures for ${repositories.join(", ")} names no key: cosignKeyFiles or releaseKeyringFile`,
    );
  }
  return {
    repositories,
    ...(cosignKeyFiles?.length
      ? { cosignKeys: cosignKeyFiles.map((path) => cosignKey(path, readFile)) }
      : {}),
    ...(releaseKeyringFile === undefined
      ? {}
      : {
          releaseKeyring: {
            armoredKeys: contentOf(releaseKeyringFile, readFile),
            stores: signatureStores,
            ...caPemOf(caFile, readFile),
          },
        }),
  };
}

function cosignKey(path: string, readFile: (path: string) => string) {
  try {
    return parseCosignKey(contentOf(path, readFile));
  } catch (cause) {
    throw configErrors.InvalidConfiguration(`${path} is no public key: ${messageOf(cause)}`, { cause });
  }
}

function caPemOf(path: string | undefined, readFile: (path: string) => string): { readonly caPem?: string } {
  return path === undefined ? {} : { caPem: contentOf(path, readFile) };
}

function contentOf(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (cause) {
    throw configErrors.InvalidConfiguration(`${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
