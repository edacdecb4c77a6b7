export { Logins, loginCookie } from "./sign-in/login.ts";
export { roleOf } from "./sign-in/roles.ts";
export { SessionKeys } from "./sign-in/session-keys.ts";
export { type Portal, type PortalOptions, startPortal } from "./start-portal.ts";
