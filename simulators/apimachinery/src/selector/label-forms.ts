/** Validation of label keys and values. Each function returns Kubernetes' error messages for a string. */

/** Pattern of a DNS subdomain. */
export const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const namePart = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const valuePart = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

/** Error message for an invalid DNS subdomain. */
export const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start " +
  "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const namePartText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must " +
  "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used " +
  "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** Returns the errors of a label or annotation key. A key is a name with an optional prefix: a DNS subdomain and a slash. */
export function qualifiedNameFaults(text: string): readonly string[] {
  const slash = text.indexOf("/");
  const prefix = text.slice(0, Math.max(slash, 0));
  const name = text.slice(slash + 1);
  if (name.includes("/")) {
    return [
      "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
        "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
        "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ];
  }
  const isWrongPrefix = slash > 0 && (prefix.length > 253 || !subdomain.test(prefix));
  return [
    ...(slash === 0 ? ["prefix part must be non-empty"] : []),
    ...(isWrongPrefix ? [`prefix part ${subdomainText}`] : []),
    ...(name === "" ? ["name part must be non-empty"] : []),
    ...(name.length > 63 ? [`name part ${tooLong(63)}`] : []),
    ...(namePart.test(name) ? [] : [namePartText]),
  ];
}

/** Returns the error of a label value. */
export function labelValueFault(text: string): string | undefined {
  return text.length > 63 ? tooLong(63) : valuePart.test(text) ? undefined : labelValueText;
}

/** Returns the error of a string with more than `most` characters. */
export function tooLong(most: number): string {
  return `must be no more than ${most} characters`;
}
