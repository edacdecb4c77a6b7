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

/** Whether the client reads `kind` of the aggregated discovery in v2. */
export function acceptsAggregatedDiscovery(header: string | undefined): boolean {
  for (const { type, parameters } of parseAccept(header ?? "")) {
    if (!mediaOf(type)) continue;
    if (parameters.get("as") === undefined) return false;
    const named = parameters.get("g") === "apidiscovery.k8s.io" && parameters.get("v") === "v2";
    if (named && parameters.get("as") === "APIGroupDiscoveryList") return true;
  }
  return false;
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
