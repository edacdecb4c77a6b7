import { randomBytes } from "node:crypto";
import { sameText } from "./credentials.ts";

/** HTML page for a browser. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const tokenCookie = "__Host-sign-in";

/** Creates a page. `body` is HTML, so callers must escape external values. The `nonce` permits the page's only script. */
export function page(
  title: string,
  body: string,
  { status = 200, cookie, nonce }: { status?: number; cookie?: string; nonce?: string } = {},
): Page {
  const script = nonce === undefined ? "" : `; script-src 'nonce-${nonce}'`;
  return {
    status,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width"><style>body{font:1rem system-ui;margin:3rem auto;max-width:28rem}
label,button{display:block;margin:.75rem 0}</style></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>`,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'${script}`,
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      ...(cookie === undefined
        ? {}
        : { "set-cookie": `${tokenCookie}=${cookie}; Path=/; Secure; HttpOnly; SameSite=Lax` }),
    },
  };
}

export function messagePage(title: string, text: string, status = 200): Page {
  return page(title, `<p>${escapeHtml(text)}</p>`, { status });
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}

/**
 * Returns the token that a form must send back (CSRF protection): the token in the browser's cookie or, without such a cookie, a
 * new token.
 */
export function formToken(cookie: string | undefined): string {
  return cookieToken(cookie) ?? randomBytes(24).toString("base64url");
}

/** True if the form contains the token of the browser's cookie. */
export function isOwnForm(form: URLSearchParams, cookie: string | undefined): boolean {
  const token = cookieToken(cookie);
  return token !== undefined && sameText(token, form.get("token") ?? "");
}

function cookieToken(cookie = ""): string | undefined {
  const found = cookie.split(/;\s*/).find((each) => each.startsWith(`${tokenCookie}=`));
  const token = found?.slice(tokenCookie.length + 1);
  return token !== undefined && /^[\w-]{32}$/.test(token) ? token : undefined;
}
