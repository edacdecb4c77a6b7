import { stringify } from "yaml";

/** A document as YAML in the way of Go's libraries: they read version 1.1, where `yes` and `12:30` are no texts. */
export function yamlText(value: unknown): Buffer {
  const options = {
    version: "1.1",
    sortMapEntries: true,
    indentSeq: false,
    aliasDuplicateObjects: false,
  } as const;
  return Buffer.from(stringify(value, options));
}
