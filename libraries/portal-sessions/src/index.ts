export { portalKubeconfig } from "./portal-kubeconfig.ts";
export { isSessionToken, sessionIdOf } from "./session-token.ts";
export { endSession, listSessions, openSession, type SessionTerms } from "./sessions.ts";
export { isSshUser, portalSshCommand } from "./ssh-command.ts";
