import { failures } from "@keelson/apimachinery";
import type { DiscoveryVersion } from "../../discovery/aggregated-discovery.ts";

/** Encoding of a document. */
export type Media = "json" | "yaml" | "protobuf";

/** Negotiated representation of objects. */
export interface Acceptance {
  readonly media: Media;
  readonly as: ObjectForm;
  /** Version of the meta.k8s.io kinds, such as Table. */
  readonly metaVersion: "v1" | "v1beta1";
}

/** Form of an object or list in a response: complete, as a table, or only metadata. */
export type ObjectForm = "object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";

export const mediaTypes: Readonly<Record<Media, string>> = {
  json: "application/json",
  yaml: "application/yaml",
  protobuf: "application/vnd.kubernetes.protobuf",
};

/** Properties that limit the available representations. */
export interface Offer {
  /** True if the kind has a protocol buffer message. */
  readonly protobuf: boolean;
  /** True for a watch stream. Streams cannot use YAML. */
  readonly watch: boolean;
}

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/**
 * Selects the representation that the `Accept` header prefers.
 * @throws StatusError 406
 */
export function negotiate(header: string | undefined, offer: Offer): Acceptance {
  const ranges = parseAccept(header ?? "");
  requireProducible(ranges);
  for (const { type, parameters, quality } of ranges) {
    const media = mediaOf(type);
    if (!media || quality === 0 || (offer.watch && media === "yaml")) continue;
    const as = formOf(parameters);
    if (!as) continue;
    const offered = as === "object" ? offer.protobuf : as !== "Table";
    if (media === "protobuf" && !offered) continue;
    return { media, as, metaVersion: parameters.get("v") === "v1beta1" ? "v1beta1" : "v1" };
  }
  throw failures.notAcceptable(
    offer.watch
      ? [`${mediaTypes.json};stream=watch`, `${mediaTypes.protobuf};stream=watch`]
      : Object.values(mediaTypes),
  );
}

const producible: ReadonlySet<string> = new Set(["*/*", ...Object.values(mediaTypes)]);

/**
 * Requires that the header contains the wildcard or a media type that the route produces.
 * @throws StatusError 406
 */
function requireProducible(ranges: readonly MediaRange[]): void {
  if (ranges.some(({ type }) => producible.has(type))) return;
  throw failures.wrongForm(
    `406: Not Acceptable\n\nAvailable representations: ${Object.values(mediaTypes).join(", ")}`,
  );
}

/** Selects the preferred encoding of a document that is not an API object. Default: JSON. */
export function negotiateMedia(header: string | undefined): Media {
  for (const { type, parameters, quality } of parseAccept(header ?? "")) {
    const media = mediaOf(type);
    if (media && quality > 0 && formOf(parameters)) return media;
  }
  return "json";
}

/** Returns the client's preferred version of aggregated discovery. Undefined if the client requests the legacy lists. */
export function aggregatedDiscoveryVersion(
  header: string | undefined,
): { readonly version: DiscoveryVersion; readonly media: "json" | "yaml" } | undefined {
  for (const { type, parameters } of parseAccept(header ?? "")) {
    const media = mediaOf(type);
    if (!media || media === "protobuf") continue;
    if (parameters.get("as") === undefined) return undefined;
    if (parameters.get("g") !== "apidiscovery.k8s.io" || parameters.get("as") !== "APIGroupDiscoveryList")
      continue;
    const version = parameters.get("v");
    if (version === "v2" || version === "v2beta1") return { version, media };
  }
  return undefined;
}

function formOf(parameters: MediaRange["parameters"]): ObjectForm | undefined {
  const as = parameters.get("as");
  if (as === undefined) return "object";
  const version = parameters.get("v");
  if (parameters.get("g") !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return undefined;
  return as === "Table" || as === "PartialObjectMetadata" || as === "PartialObjectMetadataList"
    ? as
    : undefined;
}

function mediaOf(type: string): Media | undefined {
  switch (type) {
    case "*/*":
    case "application/*":
    case "application/json":
      return "json";
    case "application/yaml":
      return "yaml";
    case "application/vnd.kubernetes.protobuf":
      return "protobuf";
    default:
      return undefined;
  }
}

/** Parses the header and returns its media ranges in order of preference. */
function parseAccept(header: string): readonly MediaRange[] {
  if (header.trim() === "") return [{ type: "*/*", parameters: new Map(), quality: 1 }];
  return header
    .split(",")
    .map((part): MediaRange => {
      const [type = "", ...rest] = part.split(";").map((each) => each.trim());
      const parameters = new Map(
        rest.map((each): [string, string] => {
          const at = each.indexOf("=");
          return [each.slice(0, at), each.slice(at + 1)];
        }),
      );
      const quality = Number(parameters.get("q") ?? 1);
      return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
    })
    .toSorted((a, b) => b.quality - a.quality);
}
