import type { DiscoveryVersion } from "../discovery/aggregated-discovery.ts";
import { failures } from "../status/status-error.ts";

/** How objects go out. */
export interface Acceptance {
  readonly media: "application/json" | "application/yaml";
  readonly as: "object" | "table" | "partial";
}

const offered = ["application/json", "application/yaml"] as const;

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The best representation that the `Accept` header allows. @throws StatusError 406 */
export function negotiate(header: string | undefined): Acceptance {
  for (const range of parseAccept(header ?? "")) {
    const media = mediaOf(range.type);
    if (!media || range.quality === 0) continue;
    const as = range.parameters.get("as");
    if (as === undefined) return { media, as: "object" };
    if (range.parameters.get("g") !== "meta.k8s.io" || range.parameters.get("v") !== "v1") continue;
    if (as === "Table") return { media, as: "table" };
    if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") return { media, as: "partial" };
  }
  throw failures.notAcceptable(offered);
}

/** The version of the aggregated discovery that the client likes best; `undefined` if it wants the plain lists. */
export function aggregatedDiscoveryVersion(header: string | undefined): DiscoveryVersion | undefined {
  for (const { type, parameters } of parseAccept(header ?? "")) {
    if (!mediaOf(type)) continue;
    if (parameters.get("as") === undefined) return undefined;
    if (parameters.get("g") !== "apidiscovery.k8s.io" || parameters.get("as") !== "APIGroupDiscoveryList")
      continue;
    const version = parameters.get("v");
    if (version === "v2" || version === "v2beta1") return version;
  }
  return undefined;
}

function mediaOf(type: string): Acceptance["media"] | undefined {
  if (type === "*/*" || type === "application/*" || type === "application/json") return "application/json";
  return type === "application/yaml" ? "application/yaml" : undefined;
}

/** The ranges of the header, the most wanted first. */
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
