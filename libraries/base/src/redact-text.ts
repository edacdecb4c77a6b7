const redacted = "[REDACTED]";

interface SecretText {
  readonly pattern: RegExp;
  /** Replacement string. Groups are referenced as in `String.replace`. */
  readonly by: string;
}

/** Patterns of secrets in external text, such as logs, consoles, messages and documents. */
const secretTexts: readonly SecretText[] = [
  {
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    by: redacted,
  },
  // JSON Web Tokens: three parts. The first two encode JSON that starts with `{"`. A match starts only if no token character
  // precedes it, so repeated prefixes take linear time.
  {
    pattern: /(?<![\w-])(?=[\w-]+\.eyJ)([\w-]*?)\beyJ[\w-]*\.eyJ[\w-]+(?:\.[\w-]*)?/g,
    by: `$1${redacted}`,
  },
  { pattern: /\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi, by: `$1 ${redacted}` },
  { pattern: /\bsha256~[\w-]{20,}/g, by: redacted },
  // Shared access signatures and storage account keys.
  { pattern: /([?&]sig=)[^&\s"']+/gi, by: `$1${redacted}` },
  { pattern: /(AccountKey=)[^;\s"']+/gi, by: `$1${redacted}` },
  // Names and their values, for example `password: "x"`, `"clientSecret": "x"`, `client-key-data: x`, `AZURE_CLIENT_SECRET=x`.
  // Quotes may be escaped.
  {
    pattern:
      /((?:pass(?:word|wd)|pullsecret|secret|token|auth|(?:client-)?key-data|private[_-]?key|api[_-]?key)["'\\]*\s*[:=]\s*\\?["']?)(?!\[REDACTED\])(?:[^\s"'\\,;{}[\]]+)/gi,
    by: `$1${redacted}`,
  },
  // Ignition configurations, kubeconfigs and keys are long base64 strings without line breaks.
  { pattern: /[A-Za-z0-9+/]{200,}={0,2}/g, by: redacted },
];

/** Replaces everything in a string that resembles a secret. */
export function redactText(text: string): string {
  return secretTexts.reduce((rest, { pattern, by }) => rest.replace(pattern, by), text);
}
