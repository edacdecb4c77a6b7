import { randomInt } from "node:crypto";

/** Characters of generated names, as in Kubernetes. Vowels and ambiguous characters are excluded. */
const letters = "bcdfghjklmnpqrstvwxz2456789";

/** Returns a random five-character suffix for a name. */
export function randomSuffix(): string {
  return Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
}
