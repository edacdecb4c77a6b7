import { XMLBuilder } from "fast-xml-parser";

/** Content of an XML element. An array repeats the element. A property `@name` is an attribute. */
export type Xml = string | readonly Xml[] | { readonly [element: string]: Xml | undefined };

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  // A container named "true" would otherwise become an attribute without a value.
  suppressBooleanAttributes: false,
});

/** Returns an XML document with one root element, for example `{ Error: { Code: "..." } }`. */
export function xmlDocument(root: { readonly [element: string]: Xml }): string {
  return builder.build({ "?xml": { "@version": "1.0", "@encoding": "utf-8" }, ...root });
}
