import type { Application, ServicePrincipal } from "./directory.ts";

/** Client of a token request: an application of the tenant or an Azure tool. */
export interface Client {
  readonly clientId: string;
  readonly principal: ServicePrincipal | undefined;
  readonly application: Application | undefined;
}
