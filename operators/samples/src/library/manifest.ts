import { isPlainObject, messageOf } from "@keelson/base";
import { type Static, Type } from "typebox";
import { Errors } from "typebox/value";
import { parse } from "yaml";
import { contentErrors } from "../content/content-errors.ts";
import type { ContentKind } from "../content/parse-content.ts";

/** Manifest entry of openshift/library. Each entry names a source of samples. */
export interface ManifestEntry {
  /** File name of the manifest, without `.yaml`. */
  readonly document: string;
  readonly directory: string;
  readonly kind: ContentKind;
  /** URL, or path inside the checkout. */
  readonly location: string;
  /** Regular expression that object names must match. Default: all objects. */
  readonly regex?: string;
  /** Suffix of the file name, which follows the object name. */
  readonly suffix?: string;
  readonly tags: readonly string[];
}

const item = Type.Object({
  location: Type.String({ minLength: 1, maxLength: 2_000 }),
  docs: Type.Optional(Type.String()),
  regex: Type.Optional(Type.String({ maxLength: 200 })),
  suffix: Type.Optional(Type.String({ maxLength: 100 })),
  tags: Type.Optional(Type.Array(Type.String())),
});
const schema = Type.Object({
  variables: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  data: Type.Record(
    Type.String(),
    Type.Object({
      imagestreams: Type.Optional(Type.Array(item)),
      templates: Type.Optional(Type.Array(item)),
    }),
  ),
});

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const maxEntries = 2_000;

/**
 * Parses the entries of a manifest and replaces their variables.
 * @throws LibraryUnreadable, which names the invalid field
 */
export function parseManifest(document: string, text: string): readonly ManifestEntry[] {
  const wrong = (why: string) => contentErrors.LibraryUnreadable(`${document}.yaml: ${why}`);
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 100, schema: "core" });
  } catch (error) {
    throw wrong(messageOf(error));
  }
  if (!isPlainObject(value)) throw wrong("no object");
  const [problem] = Errors(schema, value);
  if (problem)
    throw wrong(
      `${problem.instancePath.slice(1).replaceAll("/", ".") || "the manifest"}: ${problem.message}`,
    );
  const { variables = {}, data } = value as Static<typeof schema>;
  const put = (each: string) =>
    each.replace(/\{([A-Za-z0-9_]+)\}/g, (written, name: string) =>
      Object.hasOwn(variables, name) ? String(variables[name]) : written,
    );
  const entries = Object.entries(data).flatMap(([directory, kinds]) => {
    if (!segment.test(directory)) throw wrong(`data.${directory}: not the name of a directory`);
    return (["imagestreams", "templates"] as const).flatMap((kind) =>
      (kinds[kind] ?? []).map(({ location, regex, suffix, tags = [] }, index): ManifestEntry => {
        if (suffix && !segment.test(suffix))
          throw wrong(`data.${directory}.${kind}[${index}].suffix: not a part of a file's name`);
        return {
          document,
          directory,
          kind,
          location: put(location),
          ...(regex ? { regex } : {}),
          ...(suffix ? { suffix } : {}),
          tags,
        };
      }),
    );
  });
  if (entries.length > maxEntries) throw wrong(`data: more than ${maxEntries} entries`);
  return entries;
}

/** True if an entry applies to a distribution and an architecture. An entry without architectures applies only to x86_64. */
export function isFor({ tags }: ManifestEntry, distribution: string, architecture: string): boolean {
  const architectures = tags.filter((tag) => tag.startsWith("arch_"));
  const named = architectures.length > 0 ? architectures : ["arch_x86_64"];
  return tags.includes(distribution) && named.includes(`arch_${architecture}`);
}
