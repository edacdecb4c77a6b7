import type { BinaryExpression, Expression, JSXChild, PropertyKey, Span, VisitorObject } from "oxc-parser";
import { decodeEscapes } from "./escape-sequences.ts";
import type { LineIndex } from "./line-index.ts";
import { countBreaks, type Passage, softBreak } from "./passage.ts";
import { stringPassages, templateValue } from "./prose-strings.ts";

/** JSX attributes with technical values that users do not read. */
const technicalAttributes = new Set(["className", "style", "href", "src", "d", "viewBox", "id", "to", "key"]);

/** Collects prose in string literals, template literals and JSX text. Concatenated strings form one string. */
export class StringCollector {
  readonly passages: Passage[] = [];
  readonly #source: string;
  readonly #lines: LineIndex;
  /** Literals to skip: literals that are syntax, and literals that were already read together with their parent node. */
  readonly #done = new Set<unknown>();

  constructor(source: string, lines: LineIndex) {
    this.#source = source;
    this.#lines = lines;
  }

  /** Returns handlers by node type for `Visitor`. */
  handlers(): VisitorObject {
    const done = this.#done;
    const skipSpecifier = ({ source }: { readonly source: unknown }) => void done.add(source);
    const skipKey = ({ key, computed }: { readonly key: PropertyKey; readonly computed: boolean }) => {
      if (!computed) done.add(key);
    };
    const addText = ({ children }: { readonly children: readonly JSXChild[] }) => {
      for (const run of textRuns(children)) this.#add(run);
    };
    return {
      ImportDeclaration: skipSpecifier,
      ExportNamedDeclaration: skipSpecifier,
      ExportAllDeclaration: skipSpecifier,
      ImportExpression: skipSpecifier,
      TSImportType: skipSpecifier,
      TSExternalModuleReference: ({ expression }) => void done.add(expression),
      ExpressionStatement: (node) => {
        if ("directive" in node) done.add(node.expression);
      },
      Property: skipKey,
      PropertyDefinition: skipKey,
      MethodDefinition: skipKey,
      TSPropertySignature: skipKey,
      TSMethodSignature: skipKey,
      TSEnumMember: ({ id }) => void done.add(id),
      TSLiteralType: ({ literal }) => void done.add(literal),
      JSXAttribute: ({ name, value }) => {
        if (name.type === "JSXIdentifier" && technicalAttributes.has(name.name)) done.add(value);
      },
      JSXElement: addText,
      JSXFragment: addText,
      BinaryExpression: (node) => {
        if (node.operator !== "+" || done.has(node)) return;
        const operands = operandsOf(node, done);
        if (operands.some(isString)) this.#add(operands);
      },
      TemplateLiteral: (node) => {
        if (!done.has(node)) this.#add([node]);
      },
      Literal: (node) => {
        if (typeof node.value === "string" && !done.has(node)) this.#add([node]);
      },
    };
  }

  #add(parts: readonly Part[]): void {
    // Skips short literals early because most of them contain fewer than three words.
    const [first] = parts;
    if (!first || (parts.length === 1 && first.end - first.start < 7)) return;
    const text = joined(parts, this.#source, this.#done);
    if (text.includes(" ") || text.includes(softBreak)) {
      this.passages.push(...stringPassages(this.#lines.lineAt(first.start), text));
    }
  }
}

type Part = Expression | JSXChild;

function isString(node: Part): boolean {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

/** Returns the operands of a chain of `+` from left to right. */
function operandsOf(node: BinaryExpression, done: Set<unknown>): Expression[] {
  const operands: Expression[] = [];
  let left: Expression = node;
  while (left.type === "BinaryExpression" && left.operator === "+") {
    done.add(left);
    operands.push(left.right);
    left = left.left;
  }
  return [left, ...operands.reverse()];
}

/** Groups the children of a JSX element into runs of text and expressions. */
function textRuns(children: readonly JSXChild[]): JSXChild[][] {
  const runs: JSXChild[][] = [[]];
  for (const child of children) {
    if (child.type === "JSXText" || child.type === "JSXExpressionContainer") runs.at(-1)?.push(child);
    else runs.push([]);
  }
  return runs.filter((run) => run.some(({ type }) => type === "JSXText"));
}

/** Joins adjacent parts. Replaces parts that are not strings with a placeholder. Keeps the source's line breaks. */
function joined(parts: readonly Part[], source: string, done: Set<unknown>): string {
  let end = parts[0]?.start ?? 0;
  return parts
    .map((part) => {
      const gap = breaks(source.slice(end, part.start));
      end = part.end;
      return gap + contentOf(part, source, done);
    })
    .join("");
}

function contentOf(part: Part, source: string, done: Set<unknown>): string {
  if (part.type === "JSXText") return source.slice(part.start, part.end).replaceAll("\n", softBreak);
  if (part.type === "TemplateLiteral") {
    done.add(part);
    const { quasis, expressions } = part;
    return quasis
      .map((quasi, at) => decodeEscapes(quasi.value.raw) + placeholderFor(expressions[at], source))
      .join("");
  }
  if (part.type === "Literal" && typeof part.value === "string") {
    done.add(part);
    return decodeEscapes(source.slice(part.start + 1, part.end - 1));
  }
  return placeholderFor(part, source);
}

function placeholderFor(expression: Span | undefined, source: string): string {
  if (expression === undefined) return "";
  return templateValue + breaks(source.slice(expression.start, expression.end));
}

/** Returns a soft break for each line break in the source. */
function breaks(source: string): string {
  return softBreak.repeat(countBreaks(source));
}
