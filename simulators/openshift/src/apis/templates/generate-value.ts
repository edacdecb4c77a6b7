import { randomInt } from "node:crypto";
import type { WorkBudget } from "@keelson/base";

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const symbols = "~!@#$%^&*()-_+={}[]\\|<,>.?/\"';:`";
/** Characters of each character class in a generator expression, for example of `\w`. */
const classes: Readonly<Record<string, string>> = {
  w: `${lower}${upper}${digits}_`,
  d: digits,
  a: `${lower}${upper}${digits}`,
  A: symbols,
};
const generator = /\[([a-zA-Z0-9\-\\]+)\]\{([0-9]+)\}/g;
const maxLength = 255;

/**
 * Generates a random string from an expression. `[A-Z0-9]{8}`, `[\w]{10}` and similar patterns are replaced by random characters
 * of the class. Other characters remain unchanged.
 * @throws Error for an invalid class or length, WorkBudgetExceeded
 */
export function generateValue(expression: string, budget: WorkBudget): string {
  budget.spend(1, expression.length);
  return expression.replace(generator, (_, range: string, count: string) => {
    const length = Number(count);
    budget.spend(1, range.length + length);
    if (length < 1 || length > maxLength) {
      throw new Error(`range must be within [1-255] characters (${length})`);
    }
    const alphabet = alphabetOf(range);
    return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
  });
}

function alphabetOf(range: string): string {
  let alphabet = "";
  for (let at = 0; at < range.length; ) {
    const [first = "", second = "", third = ""] = range.slice(at, at + 3);
    if (first === "\\") {
      const letters = classes[second];
      if (!letters) throw new Error(`malformed generator expression: unknown class \\${second}`);
      alphabet += letters;
      at += 2;
    } else if (second === "-" && third) {
      alphabet += between(first, third);
      at += 3;
    } else {
      alphabet += first;
      at += 1;
    }
  }
  return [...new Set(alphabet)].join("");
}

function between(first: string, last: string): string {
  for (const letters of [upper, lower, digits]) {
    const from = letters.indexOf(first);
    const to = letters.indexOf(last);
    if (from >= 0 && to >= from) return letters.slice(from, to + 1);
  }
  throw new Error(`malformed generator expression: ${first}-${last} is not a range`);
}
