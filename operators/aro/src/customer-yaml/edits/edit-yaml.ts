import { type Document, isAlias, isMap, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";

/**
 * Thrown for a document that only its owner can fix. The message continues a sentence that begins with the document's name, for
 * example "is not a mapping".
 */
export class InvalidYaml extends Error {
  override readonly name = "InvalidYaml";
}

/**
 * Returns the document after `edit`. If `edit` returns false, the input is returned unchanged. Comments, the order of fields and
 * the notation of values are preserved. Error messages do not quote the document, because it may be secret.
 * @throws InvalidYaml for a document that is not a mapping
 */
export function editYaml(text: string, edit: (root: YAMLMap, document: Document) => boolean): string {
  const lines = new LineCounter();
  // The failsafe schema parses all scalars as strings. This preserves the notation of numbers and dates.
  const document = parseDocument(text, { schema: "failsafe", prettyErrors: false, lineCounter: lines });
  const [fault] = document.errors;
  if (fault)
    throw new InvalidYaml(`is not valid YAML: ${fault.code} in line ${lines.linePos(fault.pos[0]).line}`);
  if (document.contents === null) return text;
  if (!isMap(document.contents)) throw new InvalidYaml("is not a mapping");
  if (!edit(document.contents, document)) return text;
  // YAML permits list items with the indentation of their key or a deeper indentation. The edit preserves the document's style.
  const indentSeq = !/^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text);
  try {
    return document.toString({ lineWidth: 0, indentSeq });
  } catch {
    // The parser reports all defects except an alias without an anchor. The library's error for this defect quotes the alias, so
    // this error replaces it.
    throw new InvalidYaml("is not valid YAML: an alias has no anchor");
  }
}

/** Returns the value of a key in a mapping. Aliases are resolved. */
export function memberOf(map: YAMLMap, name: string, document: Document): unknown {
  const found = map.get(name, true);
  return resolved(found, document);
}

/** Returns the list items that are mappings. */
export function mapsOf(list: unknown, document: Document): readonly YAMLMap[] {
  return isSeq(list) ? list.items.map((item) => resolved(item, document)).filter((each) => isMap(each)) : [];
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}
