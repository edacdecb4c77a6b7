import { parseSync, Visitor } from "oxc-parser";
import { blockCommentText, type Comment, commentPassages } from "./comment-blocks.ts";
import { isLineStart, LineIndex } from "./line-index.ts";
import type { Identifier, SourceText } from "./source-text.ts";
import { StringCollector } from "./typescript-strings.ts";

/** Returns the comments, prose strings and identifiers of a TypeScript or JavaScript file. */
export function readTypescript(path: string, source: string): SourceText {
  const { comments, program } = parseSync(path, source);
  const lines = new LineIndex(source);
  const ofComments = comments.map(
    ({ type, value, start }): Comment => ({
      line: lines.lineAt(start),
      text: type === "Block" ? blockCommentText(value) : value.replace(/^\/? ?/, ""),
      joinable: type === "Line" && isLineStart(source, start),
    }),
  );
  const strings = new StringCollector(source, lines);
  const identifiers: Identifier[] = [];
  new Visitor({
    ...strings.handlers(),
    Identifier: ({ name, start }) => void identifiers.push({ name, start }),
    PrivateIdentifier: ({ name, start }) => void identifiers.push({ name: `#${name}`, start }),
    MemberExpression: ({ object, property, computed, start }) => {
      if (!computed && object.type === "Identifier" && property.type === "Identifier") {
        identifiers.push({ name: `${object.name}.${property.name}`, start });
      }
    },
  }).visit(program);
  return { passages: [...commentPassages(ofComments), ...strings.passages], identifiers };
}
