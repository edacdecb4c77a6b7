/** Maximum length of a name for which `closestName` searches. */
const maxGuessed = 100;
const maxMistakes = 4;

/** Returns the known name that is most similar to `name`, ignoring case. Undefined if no name is similar. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxGuessed) return undefined;
  let best: string | undefined;
  // Fewer than half of the letters of a short name may differ.
  let fewest = Math.min(maxMistakes, Math.ceil(name.length / 2) - 1) + 1;
  for (const each of known) {
    const mistakes = editDistance(name.toLowerCase(), each.toLowerCase());
    if (mistakes < fewest) [best, fewest] = [each, mistakes];
  }
  return best;
}

/** Returns the number of letters to insert, remove or replace (Levenshtein distance). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (b[j - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
