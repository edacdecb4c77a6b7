/** A word of an awk program (POSIX awk, Grammar). `text` of strings and regular expressions is without quotes. */
export interface Token {
  readonly kind:
    | "number"
    | "string"
    | "regex"
    | "name"
    | "function-name"
    | "keyword"
    | "sign"
    | "newline"
    | "end";
  readonly text: string;
}

const keywords: ReadonlySet<string> = new Set(
  (
    "BEGIN END function func if else while for do break continue next nextfile exit return delete in getline " +
    "print printf"
  ).split(" "),
);
/** The longest first. */
const signs = "**= += -= *= /= %= ^= == <= >= != ++ -- && || >> !~ **".split(" ");
const maxProgram = 100_000;

/** @throws Error for a string or expression without an end, or a letter that is none of awk's */
export function tokensOf(program: string): readonly Token[] {
  if (program.length > maxProgram) throw new Error("the program is too long");
  const tokens: Token[] = [];
  let at = 0;
  const add = (kind: Token["kind"], text: string, length = text.length) => {
    tokens.push({ kind, text });
    at += length;
  };
  while (at < program.length) {
    const letter = program[at] ?? "";
    if (letter === "\n") add("newline", "\n");
    else if (/\s/.test(letter)) at += 1;
    else if (letter === "\\" && /^\\\r?\n/.test(program.slice(at, at + 3)))
      at = program.indexOf("\n", at) + 1;
    else if (letter === "#") {
      const end = program.indexOf("\n", at);
      at = end < 0 ? program.length : end;
    } else if (letter === '"') {
      const end = endOf(program, at, '"');
      add("string", unescaped(program.slice(at + 1, end)), end + 1 - at);
    } else if (letter === "/" && beginsOperand(tokens.at(-1))) {
      const end = endOf(program, at, "/");
      add("regex", program.slice(at + 1, end).replaceAll("\\/", "/"), end + 1 - at);
    } else if (/[0-9.]/.test(letter)) {
      const [number] =
        /^(0[xX][0-9a-fA-F]+|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)/.exec(program.slice(at, at + 400)) ?? [];
      if (number === undefined) throw new Error(`syntax error at '${letter}'`);
      add("number", number);
    } else if (/[A-Za-z_]/.test(letter)) {
      const [name = ""] = /^\w+/.exec(program.slice(at)) ?? [];
      if (keywords.has(name)) add("keyword", name === "func" ? "function" : name, name.length);
      else add(program[at + name.length] === "(" ? "function-name" : "name", name);
    } else {
      const sign = signs.find((each) => program.startsWith(each, at)) ?? letter;
      if (!/^[-+*/%^!<>=~&|?:,;(){}[\]$]/.test(sign)) throw new Error(`syntax error at '${letter}'`);
      add("sign", sign);
    }
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

/** Whether a slash begins an expression here, and does not divide. */
function beginsOperand(before: Token | undefined): boolean {
  if (!before || before.kind === "newline") return true;
  if (before.kind === "keyword") return before.text !== "getline";
  return before.kind === "sign" && ![")", "]", "$", "++", "--"].includes(before.text);
}

function endOf(program: string, start: number, quote: string): number {
  let bracket = false;
  for (let at = start + 1; at < program.length; at++) {
    const letter = program[at];
    if (letter === "\\") at += 1;
    else if (letter === "\n") break;
    else if (quote === "/" && letter === "[") bracket = true;
    else if (quote === "/" && letter === "]") bracket = false;
    else if (letter === quote && !bracket) return at;
  }
  throw new Error(quote === '"' ? "unterminated string" : "unterminated regular expression");
}

/** What a string literal says, with its escapes replaced; others than awk's own stay as they are. */
export function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = {
    n: "\n",
    t: "\t",
    r: "\r",
    "\\": "\\",
    '"': '"',
    "/": "/",
    a: "\x07",
    b: "\b",
    f: "\f",
    v: "\v",
  };
  return text.replace(/\\([0-7]{1,3}|.)/gs, (whole, letter: string) => {
    if (/^[0-7]/.test(letter)) return String.fromCharCode(Number.parseInt(letter, 8));
    return named[letter] ?? whole;
  });
}
