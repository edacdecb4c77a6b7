import { type WordRule, wordRules } from "./words.ts";

/** Former name, present name, and the directory that the rule is limited to. */
type Renamed = readonly [former: string, present: string, within?: string];

const frontend = "services/frontend/";
const apiserver = "simulators/apiserver/";
const azure = "simulators/azure/";

/** Identifiers with a better name. Those with other meanings are limited to a directory. */
const renamed: readonly Renamed[] = [
  ["AbortSignal.timeout", "withTimeout or timeLimit of @keelson/base"],
  ["severable", "crashableProcess"],
  ["acquireResting", "acquireIdleById"],
  ["Trouble", "RetryContext"],
  ["Advice", "RetryDecision"],
  ["stepAdviser", "retryPolicy"],
  ["Exchange", "RequestContext", frontend],
  ["armsAlone", "armOnly"],
  ["implicitlyAdmin", "adminOnly"],
  ["patiently", "retryWhilePropagating"],
  ["TurnBatch", "TickBatcher"],
  ["TurnLines", "BufferedLog"],
  ["settle", "completeOperation", "services/"],
  ["settledCluster", "terminalCluster", "services/"],
  ["ResizeWish", "ResizeOptions"],
  ["azureAsker", "checkAzureOnce"],
  ["#stir", "#wake"],
  ["#awakened", "#untilWoken"],
  ["laidOver", "deepMerge"],
  ["openDoor", "openStream"],
  ["FrontDoor", "ArmPipeline", azure],
  ["DeclaredResource", "AggregatedResource", apiserver],
  ["ResourceCode", "ResourceHandlers", apiserver],
  ["KindRules", "Strategy", apiserver],
  ["fitObject", "decodeToSchema", apiserver],
  ["Fit", "DecodeResult", apiserver],
  ["ownersAtBirth", "initialManagedFields", apiserver],
  ["Shelf", "BindingSource", apiserver],
  ["circumstancesChanged", "faultsOrUpdatesChanged"],
  ["World", "Subscription", azure],
  ["MovedClock", "OffsetClock", azure],
];
const byFormer = new Map(renamed.map((each) => [each[0], each]));
const rules = wordRules.filter(({ rule }) => rule === "word" || rule === "agent");
const cache = new Map<string, string | undefined>();

/** Remedy for an identifier of product code, or `undefined` if the identifier is allowed. */
export function identifierRemedy(name: string, path: string): string | undefined {
  const [, present, within = ""] = byFormer.get(name) ?? [];
  if (present !== undefined && path.startsWith(within)) return present;
  // The object of a member access is an identifier itself.
  if (name.includes(".")) return undefined;
  if (!cache.has(name)) cache.set(name, wordRemedy(name));
  return cache.get(name);
}

/** Remedy for a word within a name: `keepHouse`, `KEEP_HOUSE`, `keep-house`. */
function wordRemedy(name: string): string | undefined {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[^A-Za-z]+/g, " ");
  return rules.find((rule) => matches(rule, words))?.remedy;
}

function matches({ pattern }: WordRule, words: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(words);
}

/** True for code of the product. Tests, their helpers and scripts are not. */
export function isProductCode(path: string): boolean {
  return (
    /^(?:cmd|services|operators|libraries|simulators|clients)\/[^/]+\/src\/.*\.tsx?$/.test(path) &&
    !/\.(?:\w+-)?test\.tsx?$|\/testing\//.test(path)
  );
}
