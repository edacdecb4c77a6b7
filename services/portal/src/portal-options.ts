import type { PortalSsh } from "@keelson/auth";
import type { Clock, KeyPair, Logger, Metrics, Secret } from "@keelson/base";
import type { ClusterResponses } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import type { Info, Permission, Regions, Role } from "@keelson/portal-api";
import type { ActionRules } from "./action-requests/action-forms.ts";
import type { EntraIdOptions } from "./sign-in/entra-id.ts";
import type { PortalGroups } from "./sign-in/roles.ts";

export interface PortalSignIn extends EntraIdOptions {
  /** Keys of 32 bytes, base64. The first encrypts cookies, each of them can decrypt. */
  readonly sessionKeys: readonly Secret[];
  readonly groups: PortalGroups;
}

export interface PortalOptions {
  readonly database: ServiceDatabase;
  /** The certificate that clients see. */
  readonly tls: KeyPair;
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Public URL, `https://host:port`. Default: this machine. */
  readonly url?: string;
  /** Sign-in settings. Without them the portal serves only kubeconfigs of the admin API. */
  readonly signIn?: PortalSignIn;
  /** The admin API, which the portal calls as the signed-in person. Default: pages offer no actions. */
  readonly adminApi?: { readonly url: string; readonly caPem?: string | undefined };
  /** Rules for actions of administrators. Default: roles only. */
  readonly rules?: ActionRules;
  /** Returns the admin API permissions of a role. */
  readonly permissionsOf?: (role: Role) => readonly Permission[];
  /** The region. */
  readonly location?: string;
  readonly version?: string;
  /** Portals of other regions. */
  readonly regions?: Regions["regions"];
  /** Label of the environment on every page. */
  readonly banner?: Info["banner"];
  /** Its SSH server, where there is one. */
  readonly ssh?: PortalSsh;
  /** Address of the API servers of all clusters in a simulated cloud. Default: each cluster's private endpoint. */
  readonly clusterAddress?: string | undefined;
  /** Directory of the built pages. */
  readonly assets?: string;
  /** Maximum duration of exec, attach and port-forward. Default: one hour. */
  readonly longestUpgradeMs?: number;
  /** Time for in-flight responses once the portal stops. Default: none. */
  readonly drainMs?: number;
  /** Receives its heartbeat and the count of dropped connections. */
  readonly metrics?: Metrics;
  /** Parses responses of clusters. Default: each client does so independently. */
  readonly responses?: ClusterResponses;
  readonly clock: Clock;
  readonly logger: Logger;
}
