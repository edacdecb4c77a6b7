import { parseTimestamp } from "../values/time.ts";
import { listType, opaqueType, optionalType, string } from "../values/type.ts";
import { listOf, none, type OpaqueValue, optionalOf } from "../values/value.ts";
import { func, type Library, method } from "./overload.ts";
import { parseUrl } from "./urls.ts";

const typeName = "kubernetes.NamedFormat";
const type = opaqueType(typeName);

type Check = (value: string) => readonly string[];

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

function bounded(limit: number, pattern: RegExp, message: string): Check {
  return (value) => [
    ...(value.length > limit ? [`must be no more than ${limit} characters`] : []),
    ...(pattern.test(value) ? [] : [message]),
  ];
}

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
  "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
  "'[a-z]([-a-z0-9]*[a-z0-9])?')";
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const nameText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const dns1123Label = bounded(63, label, labelText);
const dns1123Subdomain = bounded(253, subdomain, subdomainText);
const dns1035Label = bounded(63, label1035, label1035Text);

/** Returns a check for a name prefix. A prefix may end with a dash, because the generated suffix follows. */
const asPrefix =
  (check: Check): Check =>
  (value) =>
    check(value.endsWith("-") ? `${value.slice(0, -1)}a` : value);

const test =
  (holds: (value: string) => boolean, message: string): Check =>
  (value) =>
    holds(value) ? [] : [message];

function qualifiedName(value: string): readonly string[] {
  const parts = value.split("/");
  if (parts.length > 2)
    return [
      `a qualified name ${nameText.slice(10)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const [prefix, name = ""] = parts.length === 2 ? parts : [undefined, value];
  return [
    ...(prefix === "" ? ["prefix part must be non-empty"] : []),
    ...(prefix ? dns1123Subdomain(prefix).map((each) => `prefix part ${each}`) : []),
    ...(name === "" ? ["name part must be non-empty"] : []),
    ...(name.length > 63 ? ["name part must be no more than 63 characters"] : []),
    ...(qualified.test(name) ? [] : [nameText]),
  ];
}

const checks: Readonly<Record<string, Check>> = {
  dns1123Label,
  dns1123Subdomain,
  dns1035Label,
  qualifiedName,
  dns1123LabelPrefix: asPrefix(dns1123Label),
  dns1123SubdomainPrefix: asPrefix(dns1123Subdomain),
  dns1035LabelPrefix: asPrefix(dns1035Label),
  labelValue: (value) => (value === "" ? [] : bounded(63, qualified, labelValueText)(value)),
  uri: test((value) => parseUrl(value) !== undefined, "invalid URI"),
  uuid: test(
    (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
    "does not match the UUID format",
  ),
  byte: test((value) => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value), "invalid base64"),
  date: test(
    (value) => /^\d{4}-\d\d-\d\d$/.test(value) && parseTimestamp(`${value}T00:00:00Z`) !== undefined,
    "invalid date",
  ),
  datetime: test((value) => parseTimestamp(value) !== undefined, "invalid datetime"),
};

function named(name: string): OpaqueValue {
  return { kind: "opaque", typeName, content: name, key: name };
}

export const formats: Library = {
  types: { [typeName]: type },
  overloads: [
    func("format.named", [string], optionalType(type), ([name]) =>
      Object.hasOwn(checks, name) ? optionalOf(named(name)) : none,
    ),
    ...Object.keys(checks).map((name) => func(`format.${name}`, [], type, () => named(name))),
    method(
      "validate",
      [type, string],
      optionalType(listType(string)),
      ([{ key }, value]) => {
        const wrong = checks[key]?.(value) ?? [];
        return wrong.length === 0 ? none : optionalOf(listOf(wrong));
      },
      (_, size = 1) => size,
    ),
  ],
};
