import { XMLBuilder } from "fast-xml-parser";

/** Content of an element: an array repeats its element, a member named `@name` is an attribute. */
export type Xml = string | readonly Xml[] | { readonly [element: string]: Xml | undefined };

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  // Otherwise a container named "true" is an attribute without a value.
  suppressBooleanAttributes: false,
});

/** A document with one root, for example `{ Error: { Code: "..." } }`. */
export function xmlDocument(root: { readonly [element: string]: Xml }): string {
  return builder.build({ "?xml": { "@version": "1.0", "@encoding": "utf-8" }, ...root });
}
