const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Returns Kubernetes' error for a string that is not an RFC 1035 label, or undefined for a valid label. */
export function dns1035Label(text: string): string | undefined {
  const causes = [
    ...(text.length > 63 ? ["must be no more than 63 characters"] : []),
    ...(label1035.test(text)
      ? []
      : [
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic " +
            "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for " +
            "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ]),
  ];
  return causes.length > 0 ? causes.join(",") : undefined;
}

/** Returns Kubernetes' error for a string that is not an RFC 1123 subdomain, or undefined for a valid subdomain. */
export function dns1123Subdomain(text: string): string | undefined {
  const causes = [
    ...(text.length > 253 ? ["must be no more than 253 characters"] : []),
    ...(subdomain.test(text)
      ? []
      : [
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
            "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
            "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        ]),
  ];
  return causes.length > 0 ? causes.join(",") : undefined;
}
