import type { KubeObject } from "@keelson/apimachinery";
import type { Clock, Logger } from "@keelson/base";
import type { Attributes } from "../../auth/attributes.ts";
import type { User } from "../../auth/user.ts";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import type { ResourceDirectory } from "../../resources/resource-directory.ts";
import type { RevisionStore } from "../../storage/revision-store.ts";

/** What built-in plugins know of their cluster. */
export interface PluginContext {
  readonly store: RevisionStore;
  readonly directory: ResourceDirectory;
  readonly clock: Clock;
  /** Where audit annotations go. */
  readonly logger: Logger;
  readonly authorizer: { allows(user: User, attributes: Attributes): boolean };
  /** Aborts when the cluster closes. */
  readonly signal: AbortSignal;
  /** Plugins that are off, by name. */
  readonly disabledPlugins: ReadonlySet<string>;
}

/** A request that writes an object. */
export type ObjectRequest = AdmissionRequest & { readonly object: KubeObject };

/** An admission plugin that kube-apiserver has on by default, without state: what it knows is in the store. */
export interface AdmissionPlugin {
  /** As kube-apiserver names it. */
  readonly name: string;
  /** The writes it has a say in, so that it costs others nothing: `CREATE /pods`, `UPDATE /pods/status`. */
  readonly targets: readonly string[];
  /** Refuses what need not be read further, before anything is changed. @throws StatusError */
  readonly admit?: (request: AdmissionRequest, context: PluginContext) => void | Promise<void>;
  /** The object as the plugin leaves it. @throws StatusError */
  readonly mutate?: (request: ObjectRequest, context: PluginContext) => KubeObject | Promise<KubeObject>;
  /** Judges the object as it would be stored; `request.name` is its name, also where the server generates it. @throws StatusError */
  readonly validate?: (request: AdmissionRequest, context: PluginContext) => void | Promise<void>;
}
