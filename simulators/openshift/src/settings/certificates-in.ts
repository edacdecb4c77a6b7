/** Returns the certificates of a PEM bundle, each with a final newline. */
export function certificatesIn(pem: string): readonly string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return found.map((each) => `${each}\n`);
}
