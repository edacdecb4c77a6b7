import { stringify } from "yaml";

/**
 * Writes YAML for Go programs. Go programs parse YAML 1.1, in which `no` is a boolean and `1_000` is a number. All strings are
 * therefore quoted, because customers choose some of them (domains, networks, subnets).
 */
export function installerYaml(value: unknown): string {
  return stringify(value, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
}
