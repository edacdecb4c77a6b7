import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, type SyncRule } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { resourceDir } from "../config/operand-paths.ts";
import { argumentPath, withArguments } from "./arguments.ts";
import {
  authConfigInput,
  authenticationInput,
  findAuthentication,
  mustKeepForOidc,
} from "./authentication.ts";
import { namespaceInput, normal } from "./inputs.ts";
import { webhookKubeconfigErrors } from "./webhook-kubeconfig.ts";

const fileArgument = "authentication-token-webhook-config-file";
const versionArgument = "authentication-token-webhook-version";
const to = { namespace: namespaces.target, name: "webhook-authenticator" };
const reason = "ObserveWebhookTokenAuthenticator";

/** Observes the webhook that authenticates tokens of the OAuth server. */
export const observeWebhookAuthenticator: ConfigObserver = {
  name: "ObserveWebhookTokenAuthenticator",
  paths: [argumentPath(fileArgument), argumentPath(versionArgument)],
  inputs: [authenticationInput, authConfigInput, namespaceInput(resources.secrets, namespaces.config)],
  observe({ objects, existing, report }) {
    const authentication = findAuthentication(objects);
    const wasConfigured = configAt(existing, argumentPath(fileArgument)) !== undefined;
    if (!authentication) {
      if (wasConfigured) report(normal(reason, "authentications.config.openshift.io/cluster: not found"));
      return { config: {} };
    }
    const { type, webhookKubeconfig: name } = authentication;
    if (mustKeepForOidc(authentication, objects)) return { config: existing };
    const isConfigured = Boolean(name) && type !== "OIDC";
    if (isConfigured !== wasConfigured)
      report(
        normal(
          reason,
          `authentication-token webhook configuration status changed from ${wasConfigured} to ${isConfigured}`,
        ),
      );
    if (!name || !isConfigured) return { config: {}, syncRules: [{ resource: resources.secrets, to }] };
    const from = { namespace: namespaces.config, name };
    const secret = objects.find(resources.secrets, from);
    if (!secret)
      throw new Error(
        `failed to get secret ${namespaces.config}/${name}: secret ${JSON.stringify(name)} not found`,
      );
    const errors = webhookKubeconfigErrors(secret);
    if (errors.length > 0)
      throw new Error(`secret ${namespaces.config}/${name} is invalid: ${aggregated(errors)}`);
    const rule: SyncRule = { resource: resources.secrets, to, from };
    return {
      config: withArguments({
        [fileArgument]: [`${resourceDir}/secrets/${to.name}/kubeConfig`],
        [versionArgument]: ["v1"],
      }),
      syncRules: [rule],
    };
  },
};

/** Joins error messages. Several messages are enclosed in brackets, as in Go's aggregate errors. */
function aggregated(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`;
}
