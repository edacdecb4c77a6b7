import { stringify } from "yaml";

/** Prints YAML for Go's libraries, which read version 1.1: `yes` and `12:30` need quotes there. */
export function yamlText(value: unknown): Buffer {
  const options = {
    version: "1.1",
    sortMapEntries: true,
    indentSeq: false,
    aliasDuplicateObjects: false,
  } as const;
  return Buffer.from(stringify(value, options));
}
