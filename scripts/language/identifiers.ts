import { type WordRule, wordRules } from "./words.ts";

/** Former name, current name, and optionally the directory to which the rule applies. */
type Renamed = readonly [former: string, present: string, within?: string];

const frontend = "services/frontend/";
const apiserver = "simulators/apiserver/";
const azure = "simulators/azure/";

/** Renamed identifiers. A rule is limited to a directory if the former name has a different meaning elsewhere. */
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

/** Returns the remedy for an identifier in product code. `undefined` if the identifier is allowed. */
export function identifierRemedy(name: string, path: string): string | undefined {
  const [, present, within = ""] = byFormer.get(name) ?? [];
  if (present !== undefined && path.startsWith(within)) return present;
  // A name with a dot is a member access. Its object is also checked as a separate identifier.
  if (name.includes(".")) return undefined;
  if (!cache.has(name)) cache.set(name, wordRemedy(name));
  return cache.get(name);
}

/** Returns the remedy for a word within a name such as `keepHouse`, `KEEP_HOUSE` or `keep-house`. */
function wordRemedy(name: string): string | undefined {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[^A-Za-z]+/g, " ");
  return rules.find((rule) => matches(rule, words))?.remedy;
}

function matches({ pattern }: WordRule, words: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(words);
}

/** True for product code. False for tests, test helpers and scripts. */
export function isProductCode(path: string): boolean {
  return (
    /^(?:cmd|services|operators|libraries|simulators|clients)\/[^/]+\/src\/.*\.tsx?$/.test(path) &&
    !/\.(?:\w+-)?test\.tsx?$|\/testing\//.test(path)
  );
}
