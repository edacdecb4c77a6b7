/** Pattern that the report counts. The check accepts it, because the pattern also has correct uses. */
export interface ReportedWord {
  readonly name: string;
  readonly pattern: RegExp;
}

function words(pattern: RegExp): ReportedWord {
  const source = pattern.source.replaceAll(" ", "\\s+");
  const name = pattern.source.replace(/^\(\?:([\s\S]*)\)$/, "$1").replaceAll("|", ", ");
  return { name, pattern: new RegExp(`(?<![\\w-])(?:${source})(?![\\w-])`, "giu") };
}

export const reportedWords: readonly ReportedWord[] = [
  words(/say|says|said|saying/),
  words(/text|texts/),
  words(/answer|answers|answered|answering/),
  words(/member|members/),
  words(/figure|figures/),
  words(/authority|authorities/),
  words(/folder|folders/),
  words(/lead|leads|leading|led/),
  words(/take|takes|taken|took|taking/),
  words(/give|gives|given|gave|giving/),
  words(/end|ends|ended|ending/),
  words(/stand|stands|stood|standing/),
  words(/keep|keeps|kept|keeping/),
  words(/hold|holds|held|holding/),
  words(/live|lives|lived|living/),
  words(/let|lets|letting/),
  words(/know|knows|known|knew/),
  words(/want|wants|wanted/),
  words(/ask|asks|asked|asking/),
  words(/whole/),
  words(/pass|passes|passed|passing/),
  words(/question|questions/),
  words(/part|parts/),
  words(/piece|pieces/),
  words(/whose/),
  words(/none/),
  words(/another/),
  words(/others/),
  words(/anybody|anyone|everybody|everyone/),
  words(/at once/),
  words(/on its own|on their own/),
  { name: "two colons or semicolons in a sentence", pattern: /[:;]\s[^.!?:;]*[:;]\s/g },
];
