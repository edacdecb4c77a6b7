export { Logins, loginCookie } from "./sign-in/login.ts";
export { roleOf } from "./sign-in/roles.ts";
export { SessionKeys } from "./sign-in/session-keys.ts";
export { clusterDialer } from "./ssh/dial-cluster.ts";
export { type SshProxy, startSshProxy } from "./ssh/ssh-proxy.ts";
export { type Portal, startPortal } from "./start-portal.ts";
