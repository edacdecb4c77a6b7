import { badRequest } from "./errors/cosmos-error.ts";

/** Parsed resource path. `resourceLink` is the form of the path from which signatures are computed. */
export interface Address {
  readonly database: string | undefined;
  readonly container: string | undefined;
  readonly item: string | undefined;
  /** Type of the last resource in the path. `""` for the account. A path that ends with a type is a list of resources (feed). */
  readonly resourceType: "" | "dbs" | "colls" | "docs" | "pkranges";
  readonly isFeed: boolean;
  readonly resourceLink: string;
}

const kinds = ["dbs", "colls", "docs"] as const;

/** Parses a resource path. @throws CosmosError for an invalid path */
export function addressOf(path: string): Address {
  const segments = segmentsOf(path);
  const isFeed = segments.length % 2 === 1;
  const names: string[] = [];
  let resourceType: Address["resourceType"] = "";
  for (const [index, segment] of segments.entries()) {
    if (index % 2 === 1) {
      names.push(segment);
      continue;
    }
    const kind = index === 4 && segment === "pkranges" ? segment : kinds.find((each) => each === segment);
    if (!kind || (kind !== "pkranges" && kinds.indexOf(kind) !== index / 2)) {
      throw badRequest(`The path ${path} does not exist in this account.`);
    }
    resourceType = kind;
  }
  const [database, container, item] = names;
  const resourceLink = (isFeed ? segments.slice(0, -1) : segments).join("/");
  return { database, container, item, resourceType, isFeed, resourceLink };
}

function segmentsOf(path: string): string[] {
  try {
    return path
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
  } catch {
    throw badRequest("The path is not encoded as a URL.");
  }
}
