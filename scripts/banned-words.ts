export interface BannedWord {
  readonly pattern: RegExp;
  /** What the field says instead. */
  readonly usual: string;
  /** A word is found in comments, strings and as a part of identifiers; an identifier only as a whole. */
  readonly kind: "word" | "identifier";
  /** The folder in which an identifier that has plain meanings too is meant. */
  readonly within?: string;
}

function word(source: string, usual: string): BannedWord {
  return { pattern: new RegExp(`\\b(?:${source})\\b`, "gi"), usual, kind: "word" };
}

function identifier(name: string, usual: string, within?: string): BannedWord {
  const pattern = new RegExp(`(?<![\\w$])(?:${name})(?![\\w$])`, "g");
  return { pattern, usual, kind: "identifier", ...(within && { within }) };
}

const apiserver = "simulators/apiserver/";
const azure = "simulators/azure/";

/** Names with plain meanings too (`parts`, `completed`, `hidden`) are left out, or bound to a folder. */
export const bannedWords: readonly BannedWord[] = [
  identifier("AbortSignal\\.timeout", "withTimeout and timeLimit of @keelson/base, which say why"),
  word("tells?|telling|told", "say, notify, report, publish, pass"),
  word(
    "look(?:s|ed|ing)?(?![\\s-]+(?:ups?|forward)\\b)",
    "read, check, query; `look up` is fine, and `lookForwardCount` is of the original",
  ),
  word("anew", "again"),
  word("whoever", "a client that, the caller"),
  word("somebody", "a client, a user, another process"),
  word("(?<!encrypt\\w*\\s)at rest", "idle; `encrypted at rest` is fine"),
  word("born|newborn|inborn", "created, initial, implicit"),
  word("suffers?|suffered|suffering", "have, fail with"),
  word("befalls?|befell|befallen", "happen to, match"),
  word("foretells?|foretold|foretelling", "predict, what-if"),
  word("keep(?:s|ing)? house", "housekeeping"),
  word("doors?", "entry point, endpoint, stream"),

  identifier("severable", "crashableProcess"),
  identifier("acquireResting", "acquireIdleById"),
  identifier("Trouble", "RetryContext"),
  identifier("Advice", "RetryDecision"),
  identifier("stepAdviser", "retryPolicy"),
  identifier("Exchange", "RequestContext", "services/frontend/"),
  identifier("armsAlone", "armOnly"),
  identifier("implicitlyAdmin", "adminOnly"),
  identifier("patiently", "retryWhilePropagating"),
  identifier("TurnBatch", "TickBatcher"),
  identifier("TurnLines", "BufferedLog"),
  identifier("settle|settledCluster", "completeOperation, terminalCluster", "services/"),
  identifier("ResizeWish", "ResizeOptions"),
  identifier("azureAsker", "checkAzureOnce"),
  identifier("#stir|#awakened", "#wake, #untilWoken"),
  identifier("laidOver", "deepMerge"),
  identifier("openDoor", "openStream"),
  identifier("FrontDoor", "ArmPipeline", azure),
  identifier("DeclaredResource|ResourceCode", "AggregatedResource, ResourceHandlers", apiserver),
  identifier("KindRules|counted: (?:true|false)", "Strategy, tracksGeneration", apiserver),
  identifier("fitObject|Fit", "decodeToSchema, DecodeResult", apiserver),
  identifier("ownersAtBirth", "initialManagedFields", apiserver),
  identifier("Shelf", "BindingSource", apiserver),
  identifier("circumstancesChanged", "faultsOrUpdatesChanged"),
  identifier("World", "Subscription", azure),
  identifier("MovedClock", "OffsetClock", azure),
];

export interface Exemption {
  readonly path: string;
  /** Lines that contain it are not searched. */
  readonly text: string;
  readonly reason: string;
}

/** Wire words of the originals. */
export const exemptions: readonly Exemption[] = [
  { path: "libraries/base/src/abort.ts", text: "AbortSignal.timeout", reason: "says why" },
];
