export {
  type AuthorizationRequest,
  type Authorizer,
  acceptAll,
  type ClientCertificates,
  clientCertificates,
} from "./authorizer.ts";
export { type Frontend, type FrontendOptions, startFrontend } from "./start-frontend.ts";
