import { randomInt } from "node:crypto";

/** Characters of generated names, as in Kubernetes: without vowels and ambiguous characters. */
const letters = "bcdfghjklmnpqrstvwxz2456789";

/** Five random characters for the end of a name. */
export function randomSuffix(): string {
  return Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
}
