import { parsePositiveDuration } from "../options/go-duration.ts";
import type { Environment } from "./mirror-environment.ts";

/** Fields of a resource group that the purge rules evaluate. */
export interface GroupToJudge {
  readonly name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

export interface PurgeRules {
  readonly ttlMs: number;
  readonly createdTag: string;
  /** Name prefixes of the groups that may be deleted. An empty list means all groups. */
  readonly prefixes: readonly string[];
}

/** Groups that are never deleted, even if their keep tag is missing. */
const deny = new Set([
  ...["v4-eastus", "v4-australiasoutheast", "v4-westeurope"].flatMap((name) => [name, `${name}-aks1`]),
  ...["management-westeurope", "management-eastus", "management-australiasoutheast"],
  ...["images", "secrets", "dns", "keelson-service", "keelson-network"],
]);

/** Reads the purge rules from the environment. @throws InvalidArgumentError for an invalid duration */
export function purgeRules(environment: Environment): PurgeRules {
  const { AZURE_PURGE_TTL, AZURE_PURGE_CREATED_TAG, AZURE_PURGE_RESOURCEGROUP_PREFIXES } = environment;
  return {
    ttlMs: parsePositiveDuration(AZURE_PURGE_TTL || "48h"),
    createdTag: AZURE_PURGE_CREATED_TAG || "createdAt",
    prefixes: (AZURE_PURGE_RESOURCEGROUP_PREFIXES ?? "").split(",").filter((prefix) => prefix !== ""),
  };
}

/** Returns the reason to keep a group, or `undefined` if the purge must delete the group. */
export function reasonToKeep(
  { name = "", tags = {} }: GroupToJudge,
  rules: PurgeRules,
  now: Date,
): string | undefined {
  const { ttlMs, createdTag, prefixes } = rules;
  if (name === "") return "it has no name";
  if (prefixes.length > 0 && !prefixes.some((prefix) => name.startsWith(prefix)))
    return "its name has none of the prefixes";
  if (deny.has(name.toLowerCase())) return "it is on the deny list";
  const tagOf = (wanted: string) =>
    Object.entries(tags).find(([tag]) => tag.toLowerCase() === wanted.toLowerCase())?.[1];
  if (tagOf("persist") !== undefined) return "it has the tag persist";
  const created = tagOf(createdTag);
  if (created === undefined) return `it has no tag ${createdTag}`;
  const ageMs = now.getTime() - Date.parse(created);
  if (Number.isNaN(ageMs)) return `its tag ${createdTag} is no time`;
  return ageMs < ttlMs ? "it is not old enough" : undefined;
}
