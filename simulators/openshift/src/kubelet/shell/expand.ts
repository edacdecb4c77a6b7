import type { List, Trim, Word, WordPart } from "./parse.ts";

/** Shell callbacks for word expansion. */
export interface Expansion {
  readonly variable: (name: string) => string | undefined;
  readonly assign: (name: string, value: string) => void;
  /** Returns the arguments for `"$@"`. */
  readonly list: () => readonly string[];
  readonly arithmetic: (text: string) => number;
  readonly output: (list: List) => Promise<string>;
  /** Returns the names in a directory. */
  readonly entries: (directory: string) => Promise<readonly string[]>;
}

interface Piece {
  readonly text: string;
  readonly quoted: boolean;
}

/** Expands a word without field splitting and file name expansion. Used for assignments and redirections. */
export async function expandWord(word: Word, expansion: Expansion): Promise<string> {
  let text = "";
  for (const part of word) text += (await expandPart(part, expansion)).text;
  return text.startsWith("~/") || text === "~" ? `/root${text.slice(1)}` : text;
}

/** Expands words to command arguments. Splits unquoted values at blanks and expands file name patterns. */
export async function expandWords(words: readonly Word[], expansion: Expansion): Promise<string[]> {
  const found: string[] = [];
  for (const word of words) {
    const [only] = word;
    if (word.length === 1 && only?.kind === "variable" && only.name === "@") {
      found.push(...expansion.list());
      continue;
    }
    const pieces: Piece[] = [];
    for (const part of word) pieces.push(await expandPart(part, expansion));
    for (const field of split(word, pieces)) found.push(...(await matchFiles(field, expansion)));
  }
  return found;
}

async function expandPart(part: WordPart, expansion: Expansion): Promise<Piece> {
  const { quoted } = part;
  switch (part.kind) {
    case "text":
      return part;
    case "output":
      return { text: await expansion.output(part.list), quoted };
    case "arithmetic":
      return { text: String(expansion.arithmetic(await expandWord(part.text, expansion))), quoted };
    case "variable": {
      const value = expansion.variable(part.name);
      const word = () => expandWord(part.word ?? [], expansion);
      switch (part.operator) {
        case "#length":
          return { text: String((value ?? "").length), quoted };
        case "-":
          return { text: value ? value : await word(), quoted };
        case "+":
          return { text: value ? await word() : "", quoted };
        case "=": {
          const text = value ? value : await word();
          if (!value) expansion.assign(part.name, text);
          return { text, quoted };
        }
        case "?":
          if (!value) throw new Error(`${part.name}: ${(await word()) || "parameter not set"}`);
          return { text: value, quoted };
        case "#":
        case "##":
        case "%":
        case "%%":
          return { text: trimmed(value ?? "", part.operator, await word()), quoted };
        default:
          return { text: value ?? "", quoted };
      }
    }
  }
}

/** Splits the unquoted values of a word into fields. A word without literal text can result in zero fields. */
function split(word: Word, pieces: readonly Piece[]): Piece[][] {
  const fields: Piece[][] = [];
  let field: Piece[] | undefined;
  pieces.forEach(({ text, quoted }, index) => {
    const literal = word[index]?.kind === "text";
    if (quoted || literal) {
      field = [...(field ?? []), { text, quoted }];
      return;
    }
    const parts = text.split(/[ \t\n]+/);
    parts.forEach((part, at) => {
      if (at > 0 && field) {
        fields.push(field);
        field = undefined;
      }
      if (part) field = [...(field ?? []), { text: part, quoted }];
    });
  });
  if (field) fields.push(field);
  return fields;
}

async function matchFiles(field: readonly Piece[], expansion: Expansion): Promise<readonly string[]> {
  const plain = field.map(({ text }) => text).join("");
  if (!field.some(({ text, quoted }) => !quoted && /[*?]/.test(text))) return [plain];
  const slash = plain.lastIndexOf("/");
  const directory = slash < 0 ? "." : plain.slice(0, slash) || "/";
  if (/[*?]/.test(directory)) return [plain];
  const matches = wildcard(plain.slice(slash + 1));
  const names = await expansion.entries(directory).catch(() => []);
  const found = names
    .filter((name) => matches(name) && (!name.startsWith(".") || plain[slash + 1] === "."))
    .toSorted();
  return found.length > 0 ? found.map((name) => `${plain.slice(0, slash + 1)}${name}`) : [plain];
}

/**
 * Maximum length in characters of a value that is matched against a pattern with several wildcards. The run time grows quickly
 * with the length, because each substring is compared with the pattern.
 */
const maxTrimmed = 256;

/**
 * Removes from a value the prefix or suffix that matches a pattern.
 * @throws Error if the value is too long for a pattern with several wildcards
 */
function trimmed(value: string, operator: Trim, pattern: string): string {
  const isPrefix = operator.startsWith("#");
  const isLongest = operator.length === 2;
  const length = /^[^*?]*\*?[^*?]*$/.test(pattern)
    ? matchWithOneStar(value, pattern, isPrefix, isLongest)
    : matchWithWildcards(value, pattern, isPrefix, isLongest);
  if (length === undefined) return value;
  return isPrefix ? value.slice(length) : value.slice(0, value.length - length);
}

/**
 * Returns the length of the prefix or suffix that matches a pattern with at most one `*`. Undefined if the pattern does not
 * match. The run time is linear in the length of the value.
 */
function matchWithOneStar(
  value: string,
  pattern: string,
  isPrefix: boolean,
  isLongest: boolean,
): number | undefined {
  const [before = "", after] = pattern.split("*");
  if (after === undefined) {
    const isMatch = isPrefix ? value.startsWith(pattern) : value.endsWith(pattern);
    return isMatch ? pattern.length : undefined;
  }
  if (isPrefix) {
    if (!value.startsWith(before)) return undefined;
    const at = isLongest ? value.lastIndexOf(after) : value.indexOf(after, before.length);
    return at < before.length ? undefined : at + after.length;
  }
  const latest = value.length - after.length - before.length;
  if (latest < 0 || !value.endsWith(after)) return undefined;
  const at = isLongest ? value.indexOf(before) : value.lastIndexOf(before, latest);
  return at < 0 || at > latest ? undefined : value.length - at;
}

function matchWithWildcards(
  value: string,
  pattern: string,
  isPrefix: boolean,
  isLongest: boolean,
): number | undefined {
  if (value.length > maxTrimmed) throw new Error(`the value has more than ${maxTrimmed} characters`);
  const matches = wildcard(pattern);
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  return (isLongest ? lengths.toReversed() : lengths).find((length) =>
    matches(isPrefix ? value.slice(0, length) : value.slice(value.length - length)),
  );
}

/**
 * Returns a matcher for a pattern with `*` and `?`. The matcher backtracks only to the last `*`, so its run time is at most
 * quadratic.
 */
function wildcard(pattern: string): (name: string) => boolean {
  return (name) => {
    let at = 0;
    let star = -1;
    let resume = 0;
    for (let index = 0; index < name.length; ) {
      if (pattern[at] === "*") {
        star = at++;
        resume = index;
      } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[index])) {
        at++;
        index++;
      } else if (star >= 0) {
        at = star + 1;
        index = ++resume;
      } else return false;
    }
    while (pattern[at] === "*") at++;
    return at === pattern.length;
  };
}
