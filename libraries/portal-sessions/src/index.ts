export { findOpenSession, type OpenSession } from "./find-open-session.ts";
export {
  findGeneration,
  firstUseKey,
  generationIn,
  isSignedOut,
  personKey,
  signInKey,
} from "./generation.ts";
export { portalKubeconfig } from "./portal-kubeconfig.ts";
export { isSessionToken, sessionIdOf } from "./session-token.ts";
export {
  endSession,
  kubeconfigSeconds,
  kubeconfigTtl,
  listSessions,
  openSession,
  type SessionElevation,
  type SessionSignIn,
  type SessionTerms,
} from "./sessions.ts";
export { isSshUser, portalSshCommand, sshUserOf } from "./ssh-command.ts";
