import { XMLBuilder } from "fast-xml-parser";

/**
 * Content of an XML element. If the content is an array, the element is repeated for each entry. A property named `@name` becomes
 * the attribute `name`.
 */
export type Xml = string | readonly Xml[] | { readonly [element: string]: Xml | undefined };

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  // With the default `true`, an attribute with the value "true" loses its value. A container can have the name "true".
  suppressBooleanAttributes: false,
});

/** Returns an XML document with one root element, for example `{ Error: { Code: "..." } }`. */
export function xmlDocument(root: { readonly [element: string]: Xml }): string {
  return builder.build({ "?xml": { "@version": "1.0", "@encoding": "utf-8" }, ...root });
}
