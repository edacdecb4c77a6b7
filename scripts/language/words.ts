/** Pattern that is always wrong, with its remedy. */
export interface WordRule {
  readonly rule: "agent" | "default" | "positive" | "word";
  readonly pattern: RegExp;
  readonly remedy: string;
}

/** Compiles a pattern of whole words. A space in the pattern matches any white space. */
function compile(rule: WordRule["rule"], pattern: RegExp, remedy: string): WordRule {
  const source = pattern.source.replaceAll(" ", "\\s+");
  return { rule, pattern: new RegExp(`(?<![\\w-])(?:${source})(?![\\w-])`, "giu"), remedy };
}

export const wordRules: readonly WordRule[] = [
  compile("default", /(?:when|where) absent/, 'write "Default: ..."'),

  compile("agent", /nobody|no one|no-one/, "name the agent, or use the passive with not"),
  compile("agent", /somebody|someone/, "name the agent: a client, a user, another process"),
  compile("agent", /whoever|whomever/, "name the agent: the caller, a client that ..."),
  compile("agent", /another['’]s/, "name the owner: a second worker, the previous leader"),
  compile("agent", /who has it/, "owner"),

  compile(
    "positive",
    /(?:of|on|by|to|at|from) no (?!longer|more|less|fewer|later|earlier|such|one)\w+/,
    "state it positively: not in a cluster, without a label, only with simulated nodes",
  ),
  compile(
    "positive",
    /(?:otherwise|nothing (?:else|other)|none other|no others?|no other \w+) than/,
    "state it positively: only, except, differs from",
  ),

  compile("word", /mend(?:s|ed|ing)?/, "fix, repair"),
  compile("word", /heed(?:s|ed|ing)?/, "respect, observe, handle"),
  compile("word", /hear(?:s|d|ing)?/, "receive, be notified, be called"),
  compile("word", /tells?|telling|told/, "report, log, print, return, notify, distinguish"),
  compile(
    "word",
    /look(?:s|ed|ing)?(?!(?: |-)(?:ups?|forward)(?!\w))/,
    "read, check, query, look up, resemble",
  ),
  compile("word", /anew/, "again"),
  compile("word", /likewise/, "also, the same way"),
  compile("word", /in the place of/, "instead of"),
  compile(
    "word",
    // The phrase is correct if a noun follows it.
    /of (?:its|their|our|his|her|one['’]s) own(?=\s*(?:[.,;:!?)\]|]|$)| (?:a[nst]|and|are|because|before|beside|but|by|can|each|for|from|has|have|here|i[fnst]|may|on|once|only|or|so|than|that|then|there|to|too|until|was|were|when|where|which|while|who|with|without)(?!\w))/,
    "its own, separate, dedicated",
  ),
  compile(
    "word",
    /(?:go(?:es)?|going|went|gone) on(?! (?:the|a|an|top|each|every|this)(?!\w))/,
    "continue, resume, happen",
  ),
  compile("word", /ways? out/, "egress (network), remedy (error)"),
  compile("word", /what there (?:is|are|was|were)/, "the existing or available ones, by their noun"),
  compile("word", /(?:those|ones?) that there (?:is|are|was|were)/, "existing, available"),
  compile("word", /what (?:is|was|are|were) asked for/, "the request"),
  compile("word", /what (?:is|was) wrong/, "the problem, the error, the cause"),
  compile("word", /under way/, "in flight, in progress, active"),
  compile("word", /(?:new|in)?born/, "created, initial, implicit"),
  compile("word", /suffer(?:s|ed|ing)?/, "fail with, be affected by"),
  compile("word", /befalls?|befell|befallen/, "happen to, match"),
  compile("word", /foretells?|foretold|foretelling/, "predict, what-if"),
  compile("word", /keep(?:s|ing)? house/, "housekeeping"),
  compile(
    "word",
    /(?<!(?:encrypt\w*|data|encryption) )at rest/,
    "idle; `encrypted at rest` is the field's term",
  ),
  compile("word", /(?<!azure front )doors?/, "entry point, endpoint, stream"),
];

/** Matches text that contains a match of at least one rule in `wordRules`. */
export const anyWord = new RegExp(wordRules.map(({ pattern }) => pattern.source).join("|"), "iu");
