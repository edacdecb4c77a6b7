/** Text of an element as XML has it. */
export type Xml = string | readonly Xml[] | { readonly [element: string]: Xml | undefined };

/**
 * A document with one root, for example `{ Error: { Code: "..." } }`; an array repeats its element. A name may have
 * attributes behind it.
 */
export function xmlDocument(root: { readonly [element: string]: Xml }): string {
  return `<?xml version="1.0" encoding="utf-8"?>${render(root)}`;
}

/** A name with attributes behind it. */
export function withAttributes(name: string, attributes: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(attributes).map(
    ([attribute, value]) => `${attribute}="${escaped(value).replaceAll('"', "&quot;")}"`,
  );
  return [name, ...pairs].join(" ");
}

/** The texts of the elements with one of these names, in their order. */
export function xmlTexts(
  document: string,
  ...names: readonly string[]
): readonly { name: string; text: string }[] {
  const pattern = new RegExp(`<(${names.join("|")})>([^<]*)</\\1>`, "g");
  return [...document.matchAll(pattern)].map(([, name = "", text = ""]) => ({ name, text: unescaped(text) }));
}

function render(xml: Xml): string {
  if (typeof xml === "string") return escaped(xml);
  if (isList(xml)) return xml.map(render).join("");
  return Object.entries(xml)
    .map(([name, content]) => {
      if (content === undefined) return "";
      if (isList(content)) return content.map((each) => element(name, each)).join("");
      return element(name, content);
    })
    .join("");
}

function isList(xml: Xml): xml is readonly Xml[] {
  return Array.isArray(xml);
}

function element(name: string, content: Xml): string {
  return `<${name}>${render(content)}</${name.split(" ", 1)[0]}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
