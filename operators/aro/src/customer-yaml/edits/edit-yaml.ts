import { type Document, isAlias, isMap, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";

/**
 * Document that cannot be edited and that only its owner can fix. The message follows the name of the
 * document: "is not a mapping".
 */
export class InvalidYaml extends Error {
  override readonly name = "InvalidYaml";
}

/**
 * The document after `edit`. Returns the same string if `edit` returns false. Preserves comments, the order
 * of fields and the notation of values.
 * @throws InvalidYaml for a document that is not a mapping. The message does not quote the document, which
 * may be secret
 */
export function editYaml(text: string, edit: (root: YAMLMap, document: Document) => boolean): string {
  const lines = new LineCounter();
  // The failsafe schema parses all scalars as strings, which preserves the notation of numbers and dates.
  const document = parseDocument(text, { schema: "failsafe", prettyErrors: false, lineCounter: lines });
  const [fault] = document.errors;
  if (fault)
    throw new InvalidYaml(`is not valid YAML: ${fault.code} in line ${lines.linePos(fault.pos[0]).line}`);
  if (document.contents === null) return text;
  if (!isMap(document.contents)) throw new InvalidYaml("is not a mapping");
  if (!edit(document.contents, document)) return text;
  // Preserves the document's style: list items at the indentation of their key, or deeper.
  const indentSeq = !/^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text);
  try {
    return document.toString({ lineWidth: 0, indentSeq });
  } catch {
    // The only other defect of a document that parses. The error names the alias.
    throw new InvalidYaml("is not valid YAML: an alias has no anchor");
  }
}

/** Value of a key in a mapping, with aliases resolved. */
export function memberOf(map: YAMLMap, name: string, document: Document): unknown {
  const found = map.get(name, true);
  return resolved(found, document);
}

/** List items that are mappings. */
export function mapsOf(list: unknown, document: Document): readonly YAMLMap[] {
  return isSeq(list) ? list.items.map((item) => resolved(item, document)).filter((each) => isMap(each)) : [];
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}
