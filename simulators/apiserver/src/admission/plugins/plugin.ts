import type { KubeObject } from "@keelson/apimachinery";
import type { Clock, Logger } from "@keelson/base";
import type { Attributes } from "../../auth/attributes.ts";
import type { User } from "../../auth/user.ts";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import type { ResourceDirectory } from "../../resources/resource-directory.ts";
import type { RevisionStore } from "../../storage/revision-store.ts";

/** Dependencies of the built-in plugins. */
export interface PluginContext {
  readonly store: RevisionStore;
  readonly directory: ResourceDirectory;
  readonly clock: Clock;
  /** Logger that receives audit annotations. */
  readonly logger: Logger;
  readonly authorizer: { allows(user: User, attributes: Attributes): boolean };
  /** Aborts when the cluster closes. */
  readonly signal: AbortSignal;
  /** Names of disabled plugins. */
  readonly disabledPlugins: ReadonlySet<string>;
}

/** Request that writes an object. */
export type ObjectRequest = AdmissionRequest & { readonly object: KubeObject };

/** Admission plugin that kube-apiserver enables by default. Plugins are stateless and read the store. */
export interface AdmissionPlugin {
  /** Name of the plugin in kube-apiserver. */
  readonly name: string;
  /** Writes that the plugin handles, such as `CREATE /pods` or `UPDATE /pods/status`. Other writes skip the plugin. */
  readonly targets: readonly string[];
  /**
   * Checks a request before any plugin changes the object.
   * @throws StatusError if the plugin rejects the request
   */
  readonly admit?: (request: AdmissionRequest, context: PluginContext) => void | Promise<void>;
  /** Returns the changed object. @throws StatusError */
  readonly mutate?: (request: ObjectRequest, context: PluginContext) => KubeObject | Promise<KubeObject>;
  /**
   * Validates the object that would be stored. `request.name` includes a generated name.
   * @throws StatusError
   */
  readonly validate?: (request: AdmissionRequest, context: PluginContext) => void | Promise<void>;
}
