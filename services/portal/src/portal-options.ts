import type { PortalSsh } from "@keelson/auth";
import type { Clock, KeyPair, Logger, Metrics, Secret } from "@keelson/base";
import type { ClusterResponses } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import type { Info, Permission, Regions, Role } from "@keelson/portal-api";
import type { ActionRules } from "./action-requests/action-forms.ts";
import type { EntraIdOptions } from "./sign-in/entra-id.ts";
import type { PortalGroups } from "./sign-in/roles.ts";

export interface PortalSignIn extends EntraIdOptions {
  /** Encryption keys of 32 bytes in base64. The first key encrypts cookies. Each key can decrypt them. */
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
  /** Public URL in the form `https://host:port`. Default: this machine. */
  readonly url?: string;
  /** Sign-in settings. Without them, the portal serves only kubeconfigs that the admin API has issued. */
  readonly signIn?: PortalSignIn;
  /** Admin API that the portal calls as the signed-in person. Default: pages offer no actions. */
  readonly adminApi?: { readonly url: string; readonly caPem?: string | undefined };
  /** Rules for administrators' actions in addition to roles. Default: none. */
  readonly rules?: ActionRules;
  /** Returns the admin API permissions of a role. */
  readonly permissionsOf?: (role: Role) => readonly Permission[];
  /** The region. */
  readonly location?: string;
  readonly version?: string;
  /** Links to the portals of other regions. */
  readonly regions?: Regions["regions"];
  /** Label of the environment for every page. */
  readonly banner?: Info["banner"];
  /** SSH server of the portal. Undefined if it has none. */
  readonly ssh?: PortalSsh;
  /** Address of all API servers in a simulated cloud. Default: the private endpoint of each cluster. */
  readonly clusterAddress?: string | undefined;
  /** Directory of the built pages. */
  readonly assets?: string;
  /** Maximum duration of exec, attach and port-forward in ms. Default: one hour. */
  readonly longestUpgradeMs?: number;
  /** Time in ms for responses in flight after the portal's stop begins. Default: none. */
  readonly drainMs?: number;
  /** Receives the heartbeat metric and the number of dropped connections. */
  readonly metrics?: Metrics;
  /** Response parser that all cluster clients of this process share. Default: one parser for each client. */
  readonly responses?: ClusterResponses;
  readonly clock: Clock;
  readonly logger: Logger;
}
