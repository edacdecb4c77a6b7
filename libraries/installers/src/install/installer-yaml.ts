import { stringify } from "yaml";

/**
 * YAML for programs in Go, which read it by version 1.1: there `no` is a boolean and `1_000` a number. All texts are
 * quoted, because customers choose some of them (domains, networks, subnets).
 */
export function installerYaml(value: unknown): string {
  return stringify(value, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
}
