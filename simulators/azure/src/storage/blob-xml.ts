import { XMLBuilder } from "fast-xml-parser";

/** Content of an element. An array repeats its element, and a property `@name` is an attribute. */
export type Xml = string | readonly Xml[] | { readonly [element: string]: Xml | undefined };

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  // Required for a container named "true", which would become an attribute without a value.
  suppressBooleanAttributes: false,
});

/** Document with one root, for example `{ Error: { Code: "..." } }`. */
export function xmlDocument(root: { readonly [element: string]: Xml }): string {
  return builder.build({ "?xml": { "@version": "1.0", "@encoding": "utf-8" }, ...root });
}
