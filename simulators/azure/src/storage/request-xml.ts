import { XMLParser } from "fast-xml-parser";
import { StorageError } from "./storage-error.ts";

export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/**
 * Node that the XML parser returns. A node has one property. Its name is `#text` or the name of an element, and its value is the
 * content.
 */
type Node = Readonly<Record<string, string | readonly Node[]>>;

const parser = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  // Enables numeric character references such as `&#13;`, in addition to HTML entities. XML allows such references without a
  // declaration.
  htmlEntities: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/** Returns the child elements of the root element in document order. @throws StorageError 400 */
export function elementsIn(document: string, root: string): readonly XmlElement[] {
  const found = elementsOf(parsed(document)).find(({ name }) => name === root);
  if (!found) throw invalidXml();
  return found.children;
}

/** Returns the text of the first element with this name. Undefined if no element has this name. */
export function textOf(elements: readonly XmlElement[], name: string): string | undefined {
  return elements.find((each) => each.name === name)?.text;
}

function parsed(document: string): readonly Node[] {
  try {
    return parser.parse(document, true);
  } catch {
    throw invalidXml();
  }
}

function elementsOf(nodes: readonly Node[]): readonly XmlElement[] {
  return nodes.flatMap((node) =>
    Object.entries(node).flatMap(([name, content]) => {
      if (typeof content === "string") return [];
      const text = content.map((each) => each["#text"] ?? "").join("");
      return [{ name, text, children: elementsOf(content) }];
    }),
  );
}

function invalidXml(): StorageError {
  return new StorageError(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
}
