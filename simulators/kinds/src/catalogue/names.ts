import {
  labelValueFault,
  qualifiedNameFaults,
  subdomain,
  subdomainText,
  tooLong,
} from "@keelson/apimachinery";

/** Validates a name. Returns Kubernetes' error, or undefined if the name is valid. */
type NameForm = (text: string) => string | undefined;

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const wildcard = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const configKey = /^[-._a-zA-Z0-9]+$/;

const wildcardText =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower " +
  "case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used " +
  "for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end " +
  "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const configKeyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Validates a single URL path segment. */
export const pathSegmentName: NameForm = (text) => {
  if (text === "." || text === "..") return `may not be '${text}'`;
  const wrong = ["/", "%"].filter((each) => text.includes(each)).map((each) => `may not contain '${each}'`);
  return wrong.length > 0 ? wrong.join(", ") : undefined;
};

export const dnsSubdomain: NameForm = (text) =>
  text.length > 253 ? tooLong(253) : subdomain.test(text) ? undefined : subdomainText;

export const dnsLabel: NameForm = (text) => {
  if (text.length > 63) return tooLong(63);
  if (label.test(text)) return undefined;
  return subdomain.test(text) ? "must not contain dots" : labelText;
};

export const wildcardSubdomain: NameForm = (text) =>
  text.length > 253 ? tooLong(253) : wildcard.test(text) ? undefined : wildcardText;

/**
 * Validates a key of labels, annotations and similar maps. A key is a name with an optional prefix: a DNS subdomain and a slash.
 */
export const qualifiedName: NameForm = (text) => qualifiedNameFaults(text)[0];

export { qualifiedNameFaults };

export const labelValue: NameForm = labelValueFault;

/** Validates a key of a ConfigMap or Secret. */
export const configMapKey: NameForm = (text) => {
  if (text.length > 253) return tooLong(253);
  if (!configKey.test(text)) return configKeyText;
  if (text === ".") return "must not be '.'";
  if (text === "..") return "must not be '..'";
  return text.startsWith("..") ? "must not start with '..'" : undefined;
};

/** Validates a container port name (IANA_SVC_NAME). */
export const portName: NameForm = (text) => portNameFaults(text)[0];

/** Returns all errors of a container port name. */
export function portNameFaults(text: string): readonly string[] {
  return [
    ...(text.length > 15 ? [tooLong(15)] : []),
    ...(/^[-a-z0-9]+$/.test(text)
      ? []
      : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
    ...(/[a-z]/.test(text) ? [] : ["must contain at least one letter (a-z)"]),
    ...(text.includes("--") ? ["must not contain consecutive hyphens"] : []),
    ...(/^-|-$/.test(text) ? ["must not begin or end with a hyphen"] : []),
  ];
}

export const environmentName: NameForm = (text) =>
  /^[\x20-\x3c\x3e-\x7e]+$/.test(text)
    ? undefined
    : "a valid environment variable name must consist only of printable ASCII characters other than '='";
