import type { PortalSsh } from "@keelson/auth";
import type { Clock, KeyPair, Logger, Metrics, Secret } from "@keelson/base";
import type { ClusterResponses } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import type { Info, Permission, Regions, Role } from "@keelson/portal-api";
import type { ActionRules } from "./action-requests/action-forms.ts";
import type { EntraIdOptions } from "./sign-in/entra-id.ts";
import type { PortalGroups } from "./sign-in/roles.ts";

export interface PortalSignIn extends EntraIdOptions {
  /** Encryption keys of 32 bytes in base64. Cookies are encrypted with the first key, and decrypted with any of the keys. */
  readonly sessionKeys: readonly Secret[];
  readonly groups: PortalGroups;
}

export interface PortalOptions {
  readonly database: ServiceDatabase;
  /** Server certificate of the portal. */
  readonly tls: KeyPair;
  readonly host: string;
  /** TCP port. 0 selects a free port. */
  readonly port: number;
  /** Public URL in the form `https://host:port`. Default: a URL for browsers on this machine. */
  readonly url?: string;
  /** Sign-in settings. Default: no sign-in. The portal then serves only kubeconfigs that the admin API has issued. */
  readonly signIn?: PortalSignIn;
  /** Admin API that the portal calls on behalf of the signed-in person. Default: none, and the pages offer no actions. */
  readonly adminApi?: { readonly url: string; readonly caPem?: string | undefined };
  /** Rules for administrators' actions in addition to roles. Default: none. */
  readonly rules?: ActionRules;
  /** Returns the admin API permissions of a role. */
  readonly permissionsOf?: (role: Role) => readonly Permission[];
  /** The region. */
  readonly location?: string;
  readonly version?: string;
  /** Portals of other regions, to which the pages have links. */
  readonly regions?: Regions["regions"];
  /** Label of the environment that every page shows. */
  readonly banner?: Info["banner"];
  /** SSH server of the portal. Undefined if it has none. */
  readonly ssh?: PortalSsh;
  /** Address of all API servers in a simulated cloud. Default: the private endpoint of each cluster. */
  readonly clusterAddress?: string | undefined;
  /** Directory of the built pages. */
  readonly assets?: string;
  /** Maximum duration of exec, attach and port-forward in ms. Default: one hour. */
  readonly longestUpgradeMs?: number;
  /** Time in ms for which responses in flight may continue when the portal stops. Default: 0. */
  readonly drainMs?: number;
  /** Metrics for the portal's heartbeat and for the number of dropped connections. */
  readonly metrics?: Metrics;
  /** Response parser that all cluster clients of this process share. Default: one parser for each client. */
  readonly responses?: ClusterResponses;
  readonly clock: Clock;
  readonly logger: Logger;
}
