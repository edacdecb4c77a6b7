import { randomBytes, randomInt } from "node:crypto";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import { nameOf } from "./authorize.ts";
import { findClient } from "./client-authentication.ts";
import { deviceCodeLifetimeMs, type EntraDeps, type EntraRequest } from "./entra-deps.ts";
import { escapeHtml, formToken, isOwnForm, messagePage, type Page, page } from "./page.ts";
import { refuse } from "./refusal.ts";
import { signInPage } from "./sign-in-page.ts";

const alphabet = "BCDFGHJKLMNPQRSTVWXZ23456789";
const codeLength = 9;
/** Polling interval in seconds. Azure uses five. */
const intervalSeconds = 1;

/** Handles the device authorization endpoint. */
export function beginDeviceSignIn(deps: EntraDeps, { form, baseUrl }: EntraRequest): ArmResponse {
  const client = findClient(deps, form.get("client_id") ?? "");
  if ("error" in client) return refuse(deps, client);
  const userCode = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  const deviceCode = randomBytes(48).toString("base64url");
  deps.signIns.devices.add(deviceCode, { clientId: client.clientId, state: "waiting" });
  deps.signIns.userCodes.add(userCode, deviceCode);
  const address = `${baseUrl}/common/oauth2/deviceauth`;
  return ok({
    user_code: userCode,
    device_code: deviceCode,
    verification_uri: address,
    verification_url: address,
    expires_in: deviceCodeLifetimeMs / 1_000,
    interval: intervalSeconds,
    message: `To sign in, use a web browser to open the page ${address} and enter the code ${userCode} to authenticate.`,
  });
}

/** Returns the page on which a user enters the device's code and then selects a user. */
export function deviceSignInPage(deps: EntraDeps, request: EntraRequest): Page {
  const { form, cookie, method, segments } = request;
  const target = `/${segments.map(encodeURIComponent).join("/")}`;
  if (method !== "POST") return codePage(target, cookie);
  if (!isOwnForm(form, cookie)) {
    return messagePage("Sign-in failed", "The form is not from this browser, or too old.", 400);
  }
  const userCode = (form.get("code") ?? "").trim().toUpperCase();
  const deviceCode = deps.signIns.userCodes.find(userCode) ?? "";
  const grant = deps.signIns.devices.find(deviceCode);
  const client = grant && findClient(deps, grant.clientId);
  if (!grant || !client || "error" in client || grant.state !== "waiting") {
    return messagePage("Sign-in failed", "That code is not known, or no longer.", 400);
  }
  const choice = form.get("choice");
  if (choice === null) {
    const extra = `<input type="hidden" name="code" value="${escapeHtml(userCode)}">`;
    return signInPage(deps.directory, { target, cookie, application: nameOf(client), extra });
  }
  const user = deps.directory.findUser(form.get("user") ?? "");
  const isGranted = choice === "sign-in" && user !== undefined && !user.disabled;
  deps.signIns.userCodes.remove(userCode);
  deps.signIns.devices.change(deviceCode, {
    ...grant,
    state: isGranted ? { userId: user.objectId } : "declined",
  });
  const text = "The device continues. This window can be closed.";
  return isGranted ? messagePage("Signed in", text) : messagePage("Not signed in", text);
}

function codePage(target: string, cookie: string | undefined): Page {
  const token = formToken(cookie);
  const body = `<form method="post" action="${escapeHtml(target)}"><input type="hidden" name="token" value="${token}">
<label>The code that the device shows <input name="code" autocomplete="off" required></label><button>Next</button></form>`;
  return page("Sign in", body, { cookie: token });
}
