import { type Document, isAlias, isMap, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";

/** Text that no retry can edit: only its owner can change it. The message follows the name of the text: "is no mapping". */
export class InvalidYaml extends Error {
  override readonly name = "InvalidYaml";
}

/**
 * The text after `edit`, the same where that returns false. Comments, the order of members and how values are written stay.
 * @throws InvalidYaml for a text that is no mapping; the message has nothing of the text, which may be secret
 */
export function editYaml(text: string, edit: (root: YAMLMap, document: Document) => boolean): string {
  const lines = new LineCounter();
  // All scalars are texts, so that numbers and dates are written as they were.
  const document = parseDocument(text, { schema: "failsafe", prettyErrors: false, lineCounter: lines });
  const [fault] = document.errors;
  if (fault) throw new InvalidYaml(`is no YAML: ${fault.code} in line ${lines.linePos(fault.pos[0]).line}`);
  if (document.contents === null) return text;
  if (!isMap(document.contents)) throw new InvalidYaml("is no mapping");
  if (!edit(document.contents, document)) return text;
  // Lines in the text's own style: lists as far out as their members' names, or further in.
  const indentSeq = !/^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text);
  try {
    return document.toString({ lineWidth: 0, indentSeq });
  } catch {
    // The only other fault of a text that parses. The error names the alias.
    throw new InvalidYaml("is no YAML: an alias has no anchor");
  }
}

/** What a mapping has under a name, with an alias replaced by what it stands for. */
export function memberOf(map: YAMLMap, name: string, document: Document): unknown {
  const found = map.get(name, true);
  return resolved(found, document);
}

/** The entries of a list that are mappings. */
export function mapsOf(list: unknown, document: Document): readonly YAMLMap[] {
  return isSeq(list) ? list.items.map((item) => resolved(item, document)).filter((each) => isMap(each)) : [];
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}
