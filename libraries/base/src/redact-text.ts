const redacted = "[REDACTED]";

interface SecretText {
  readonly pattern: RegExp;
  /** Named and numbered groups as in `String.replace`. */
  readonly by: string;
}

/** Patterns of secrets in external text: logs, consoles, messages, documents. */
const secretTexts: readonly SecretText[] = [
  {
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    by: redacted,
  },
  // Tokens: three parts, the first two of which are JSON that begins with `{"`. Each run of characters is
  // tried once, from its first one, so repeated prefixes take linear time.
  {
    pattern: /(?<![\w-])(?=[\w-]+\.eyJ)([\w-]*?)\beyJ[\w-]*\.eyJ[\w-]+(?:\.[\w-]*)?/g,
    by: `$1${redacted}`,
  },
  { pattern: /\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi, by: `$1 ${redacted}` },
  { pattern: /\bsha256~[\w-]{20,}/g, by: redacted },
  // Shared access signatures, and keys of storage accounts.
  { pattern: /([?&]sig=)[^&\s"']+/gi, by: `$1${redacted}` },
  { pattern: /(AccountKey=)[^;\s"']+/gi, by: `$1${redacted}` },
  // `password: "x"`, `"clientSecret": "x"`, `client-key-data: x`, `AZURE_CLIENT_SECRET=x`, quotes escaped or not.
  {
    pattern:
      /((?:pass(?:word|wd)|pullsecret|secret|token|auth|(?:client-)?key-data|private[_-]?key|api[_-]?key)["'\\]*\s*[:=]\s*\\?["']?)(?!\[REDACTED\])(?:[^\s"'\\,;{}[\]]+)/gi,
    by: `$1${redacted}`,
  },
  // Ignition, kubeconfigs and keys travel as base64 without a line break.
  { pattern: /[A-Za-z0-9+/]{200,}={0,2}/g, by: redacted },
];

/** Removes everything that resembles a secret. */
export function redactText(text: string): string {
  return secretTexts.reduce((rest, { pattern, by }) => rest.replace(pattern, by), text);
}
