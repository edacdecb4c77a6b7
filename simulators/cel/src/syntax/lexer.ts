import { uintValue, type Value } from "../values/value.ts";
import { ExpressionError } from "./ast.ts";

export interface Token {
  readonly kind: "name" | "quoted" | "literal" | "symbol" | "end";
  readonly at: number;
  readonly text: string;
  /** Value of a literal. */
  readonly value?: Value;
}

const space = /(?:[\t\n\f\r ]|\/\/[^\n]*)*/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const quotedName = /`[A-Za-z0-9_.\-/ ]+`/y;
const number =
  /0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+[uU]?/y;
const textStart = /([rRbB]{0,2})("""|'''|"|')/y;
const symbol = /&&|\|\||==|!=|<=|>=|\.\?|\[\?|[-+*/%<>!?:.,()[\]{}]/y;

/**
 * Splits an expression into tokens. The last token has the kind `end`.
 * @throws ExpressionError
 */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += matchAt(space, source, at)?.[0].length ?? 0;
    if (at >= source.length) break;
    const token = scalarStringAt(source, at) ?? numberAt(source, at, tokens.at(-1)) ?? plainAt(source, at);
    if (!token) {
      throw new ExpressionError(
        at,
        `Syntax error: token recognition error at: '${[...source.slice(at, at + 2)][0]}'`,
      );
    }
    tokens.push(token);
    at = at + token.text.length;
  }
  tokens.push({ kind: "end", at: source.length, text: "<EOF>" });
  return tokens;
}

function matchAt(expression: RegExp, source: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(source) ?? undefined;
}

function plainAt(source: string, at: number): Token | undefined {
  const word = matchAt(name, source, at)?.[0];
  if (word) return { kind: "name", at, text: word };
  const quoted = matchAt(quotedName, source, at)?.[0];
  if (quoted) return { kind: "quoted", at, text: quoted };
  const sign = matchAt(symbol, source, at)?.[0];
  return sign ? { kind: "symbol", at, text: sign } : undefined;
}

function numberAt(source: string, at: number, before: Token | undefined): Token | undefined {
  const text = matchAt(number, source, at)?.[0];
  // After a name or a bracket, `.5` is an invalid selection and not a number.
  if (!text || (text.startsWith(".") && before && before.kind !== "symbol")) return undefined;
  if (text.endsWith("u") || text.endsWith("U")) {
    const value = BigInt(text.slice(0, -1));
    if (value >= 2n ** 64n) throw new ExpressionError(at, "invalid uint literal");
    return { kind: "literal", at, text, value: uintValue(value) };
  }
  if (!text.startsWith("0x") && /[.eE]/.test(text)) return { kind: "literal", at, text, value: Number(text) };
  return { kind: "literal", at, text, value: BigInt(text) };
}

function scalarStringAt(source: string, at: number): Token | undefined {
  const start = matchAt(textStart, source, at);
  if (!start) return undefined;
  const prefix = (start[1] ?? "").toLowerCase();
  const quote = start[2] ?? "";
  if (prefix.length === 2 && prefix[0] === prefix[1]) return undefined;
  const raw = prefix.includes("r");
  const isBytes = prefix.includes("b");
  const begin = at + start[0].length;
  let end = begin;
  while (!source.startsWith(quote, end)) {
    if (end >= source.length || (quote.length === 1 && source[end] === "\n")) {
      throw new ExpressionError(at, `Syntax error: token recognition error at: '${source.slice(at, end)}'`);
    }
    end += source[end] === "\\" && !raw ? 2 : 1;
  }
  const body = source.slice(begin, end);
  const text = source.slice(at, end + quote.length);
  if (isBytes) {
    const content = raw ? Buffer.from(body) : Buffer.concat(unescaped(body, begin, true));
    return { kind: "literal", at, text, value: { kind: "bytes", bytes: content } };
  }
  const value = raw ? body : Buffer.concat(unescaped(body, begin, false)).toString();
  return { kind: "literal", at, text, value };
}

const escapeSequence =
  /\\(?:([abfnrtv\\?"'`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function unescaped(body: string, offset: number, isBytes: boolean): readonly Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    const next = body.indexOf("\\", at);
    if (next !== at) {
      parts.push(Buffer.from(body.slice(at, next < 0 ? undefined : next)));
      if (next < 0) break;
    }
    at = next;
    const found = matchAt(escapeSequence, body, at);
    if (!found) throw new ExpressionError(offset + at, "Syntax error: unable to unescape string");
    const [all, plain, hex, short, long, octal] = found;
    const code = Number.parseInt(hex ?? short ?? long ?? octal ?? "0", octal ? 8 : 16);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      throw new ExpressionError(offset + at, "Syntax error: invalid code point in string");
    }
    if (plain !== undefined) parts.push(Buffer.from(simpleEscapes[plain] ?? plain));
    else if (isBytes && (hex ?? octal)) parts.push(Buffer.from([code & 0xff]));
    else parts.push(Buffer.from(String.fromCodePoint(code)));
    at += all.length;
  }
  return parts;
}
