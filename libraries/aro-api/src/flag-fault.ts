import { type OperatorFlag, operatorFlags } from "./flag-catalogue.ts";

/** Longer names are none that anyone mistyped. */
const maxGuessed = 100;
const maxMistakes = 4;

/** What is wrong with a flag, and the way out; `undefined` when it exists and may have this value. */
export function flagFault(name: string, value: string): string | undefined {
  const flag = operatorFlags.get(name);
  if (!flag) {
    const similar = similarFlag(name);
    return `unknown operator flag '${name.slice(0, maxGuessed)}'${similar ? `, did you mean '${similar}'?` : ""}`;
  }
  const allowed = allowedValues(flag, value);
  return allowed === undefined
    ? undefined
    : `invalid value '${value.slice(0, maxGuessed)}' of operator flag '${name}', can only be ${allowed}`;
}

/** The values that a flag may have, for people, when this is none of them. */
function allowedValues({ values }: OperatorFlag, value: string): string | undefined {
  switch (values) {
    case "text":
      return undefined;
    case "switch":
      return /^(?:true|false)$/i.test(value) ? undefined : "'true' or 'false'";
    case "tri-state":
      return /^(?:true|false|)$/i.test(value) ? undefined : "'true', 'false' or empty";
    case "whole number":
      return /^[1-9]\d{0,8}$/.test(value) ? undefined : "a whole number above 0";
    default:
      return values.includes(value)
        ? undefined
        : values
            .map((each) => `'${each}'`)
            .join(", ")
            .replace(/, (?='[^']*'$)/, " or ");
  }
}

function similarFlag(name: string): string | undefined {
  if (name.length > maxGuessed) return undefined;
  let best: string | undefined;
  let fewest = maxMistakes + 1;
  for (const known of operatorFlags.keys()) {
    const mistakes = editDistance(name.toLowerCase(), known.toLowerCase());
    if (mistakes < fewest) [best, fewest] = [known, mistakes];
  }
  return best;
}

/** Letters to insert, remove or replace (Levenshtein). */
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
