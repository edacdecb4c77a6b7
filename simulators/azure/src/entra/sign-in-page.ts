import type { Directory } from "./directory.ts";
import { escapeHtml, formToken, type Page, page } from "./page.ts";

/**
 * Returns the page for selecting a user. No password is required. `target` is the form's address. `extra` is HTML above the
 * selection.
 */
export function signInPage(
  directory: Directory,
  options: {
    readonly target: string;
    readonly cookie: string | undefined;
    readonly application: string;
    readonly hint?: string | null;
    readonly extra?: string;
  },
): Page {
  const token = formToken(options.cookie);
  const users = directory.users().filter(({ disabled }) => !disabled);
  const hinted = users.find((each) => each.userPrincipalName.toLowerCase() === options.hint?.toLowerCase());
  const choices = users.map(({ objectId, displayName, userPrincipalName }) => {
    const checked = objectId === (hinted ?? users[0])?.objectId ? " checked" : "";
    return `<label><input type="radio" name="user" value="${escapeHtml(objectId)}"${checked}> ${escapeHtml(displayName)} (${escapeHtml(userPrincipalName)})</label>`;
  });
  const body = `<p>to ${escapeHtml(options.application)}</p>
<form method="post" action="${escapeHtml(options.target)}"><input type="hidden" name="token" value="${token}">
${options.extra ?? ""}${choices.join("\n")}
<button name="choice" value="sign-in">Sign in</button><button name="choice" value="cancel">Cancel</button></form>`;
  return page("Sign in", body, { cookie: token });
}
