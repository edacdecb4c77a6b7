import { stringAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ObservedObjects } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { clusterInput, objectInput, singleton } from "./inputs.ts";

/** How a cluster's users sign in. */
export interface Authentication {
  /** `IntegratedOAuth` where it is not said. */
  readonly type: string;
  readonly oauthMetadata: string | undefined;
  readonly integratedOauthMetadata: string | undefined;
  /** Secret with the kubeconfig of the webhook that knows tokens. */
  readonly webhookKubeconfig: string | undefined;
}

export const authenticationInput = clusterInput(resources.authentications);

export function findAuthentication(objects: ObservedObjects): Authentication | undefined {
  const authentication = objects.find(resources.authentications, singleton);
  return (
    authentication && {
      type: stringAt(authentication, "spec", "type") || "IntegratedOAuth",
      oauthMetadata: stringAt(authentication, "spec", "oauthMetadata", "name"),
      integratedOauthMetadata: stringAt(authentication, "status", "integratedOAuthMetadata", "name"),
      webhookKubeconfig: stringAt(
        valueAt(authentication, "spec", "webhookTokenAuthenticator"),
        "kubeConfig",
        "name",
      ),
    }
  );
}

/** Configures sign-in by an external OpenID Connect provider. */
export const authConfig = { namespace: namespaces.target, name: "auth-config" };
export const authConfigInput = objectInput(resources.configMaps, authConfig);

/** What signed users in before stays until the external provider is configured: otherwise none could. */
export function mustKeepForOidc({ type }: Authentication, objects: ObservedObjects): boolean {
  return type === "OIDC" && !objects.find(resources.configMaps, authConfig);
}
