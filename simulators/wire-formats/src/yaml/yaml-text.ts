import { stringify } from "yaml";

/** Serializes a value as YAML for Go's libraries. They read YAML 1.1, in which strings such as `yes` and `12:30` need quotes. */
export function yamlText(value: unknown): Buffer {
  const options = {
    version: "1.1",
    sortMapEntries: true,
    indentSeq: false,
    aliasDuplicateObjects: false,
  } as const;
  return Buffer.from(stringify(value, options));
}
