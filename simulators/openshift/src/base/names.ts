import { randomInt } from "node:crypto";

/** The letters of generated names, as Kubernetes has them: no vowels, no letters that are easily confused. */
const letters = "bcdfghjklmnpqrstvwxz2456789";

/** Five random letters, for the end of a name. */
export function randomSuffix(): string {
  return Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
}
