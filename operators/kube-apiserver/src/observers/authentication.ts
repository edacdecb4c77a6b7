import { stringAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ObservedObjects } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { clusterInput, objectInput, singleton } from "./inputs.ts";

/** Sign-in configuration of a cluster. */
export interface Authentication {
  /** Authentication type. Default: `IntegratedOAuth`. */
  readonly type: string;
  readonly oauthMetadata: string | undefined;
  readonly integratedOauthMetadata: string | undefined;
  /** Name of the Secret with the kubeconfig of the token webhook. */
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

/** ConfigMap that configures sign-in with an external OpenID Connect provider. */
export const authConfig = { namespace: namespaces.target, name: "auth-config" };
export const authConfigInput = objectInput(resources.configMaps, authConfig);

/**
 * True until the configuration of the external provider is available. Until then, the previous sign-in configuration must stay,
 * so that users can sign in.
 */
export function mustKeepForOidc({ type }: Authentication, objects: ObservedObjects): boolean {
  return type === "OIDC" && !objects.find(resources.configMaps, authConfig);
}
