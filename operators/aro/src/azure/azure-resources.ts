import { parseResourceId } from "@keelson/arm";
import type { AroCluster } from "@keelson/aro-api";
import { type AzureClients, isNotFound, type RawRequests, type RawWrite } from "@keelson/azure";
import type { JsonObject, Logger } from "@keelson/base";
import type { RepairRecorder } from "@keelson/operator-kit";
import type { AzureAccess } from "./azure-access.ts";
import { azureFailure } from "./azure-failure.ts";
import { azureErrors } from "./errors.ts";
import { isResourceId } from "./resource-ids.ts";

export interface AzureResourcesOptions {
  readonly access: AzureAccess;
  readonly cluster: AroCluster;
  readonly repairs: RepairRecorder;
  readonly controller: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** API version for each resource provider. */
const apiVersions: Readonly<Record<string, string>> = {
  "microsoft.network": "2024-05-01",
  "microsoft.storage": "2023-05-01",
};

export interface AzureChange {
  readonly method: "PUT" | "PATCH";
  readonly body: JsonObject;
  /** Paths of the changed fields. The Event about the write contains them. */
  readonly fields: readonly string[];
}

/**
 * Azure resources of the cluster, for one call of a controller. Bodies are read and written without conversion, so they may have
 * properties that no SDK supports. Every write emits one Event about the Cluster and increments the repair metric by one. Azure
 * may accept a write and finish it later. The next call of the controller reads the progress of the write from the resource's
 * `provisioningState`.
 */
export class AzureResources {
  readonly #options: AzureResourcesOptions;

  constructor(options: AzureResourcesOptions) {
    this.#options = options;
  }

  /** Service principal or workload identity of the operator. */
  get principal(): Pick<AzureAccess, "clientId" | "usesWorkloadIdentity"> {
    return this.#options.access;
  }

  /**
   * Returns the official SDK clients. Use them only for requests other than resource reads and writes.
   * @throws AzureNotConfigured
   */
  clients(): Promise<AzureClients> {
    const { access, cluster } = this.#options;
    return access.clients(cluster);
  }

  /** See `AzureAccess.graph`. */
  graph(): Promise<RawRequests | undefined> {
    const { access, cluster } = this.#options;
    return access.graph(cluster);
  }

  /** See `AzureAccess.newGraphToken`. */
  newGraphToken(signal: AbortSignal): Promise<string> {
    const { access, cluster } = this.#options;
    return access.newGraphToken(cluster, signal);
  }

  /**
   * Returns the resource, or `undefined` if it does not exist.
   * @throws AzureNotConfigured, AzureRequestFailed
   */
  async find(id: string): Promise<JsonObject | undefined> {
    const { raw } = await this.clients();
    const { signal } = this.#options;
    try {
      return await raw.get(id, { "api-version": versionOf(id) }, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw this.#failure("read", id, error);
    }
  }

  /**
   * Sends a PUT or PATCH request for the resource.
   * @throws AzureNotConfigured, AzureRequestFailed
   */
  async write(id: string, { method, body, fields }: AzureChange): Promise<void> {
    await this.#recorded("updated", id, fields, { method, id, query: {}, body });
  }

  /**
   * Creates the resource.
   * @throws AzureNotConfigured, AzureRequestFailed
   */
  async create(id: string, body: JsonObject): Promise<void> {
    await this.#recorded("created", id, [], { method: "PUT", id, query: {}, body });
  }

  /**
   * Deletes the resource.
   * @throws AzureNotConfigured, AzureRequestFailed
   */
  async remove(id: string): Promise<void> {
    await this.#recorded("deleted", id, [], { method: "DELETE", id, query: {} });
  }

  async #recorded(
    operation: "created" | "updated" | "deleted",
    id: string,
    fields: readonly string[],
    write: RawWrite,
  ): Promise<void> {
    const { cluster, controller, logger, repairs, signal } = this.#options;
    const { kind, name } = partsOf(id);
    const repair = { controller, operation, resource: { kind }, fields, subject: `${kind} ${name}` };
    try {
      const { raw } = await this.clients();
      await raw.write({ ...write, query: { "api-version": versionOf(id) } }, signal);
    } catch (error) {
      const failure = this.#failure("write", id, error);
      repairs.failed(repair, cluster, failure);
      throw failure;
    }
    logger.info({ operation, id, fields }, "repaired a resource of Azure");
    repairs.succeeded(repair, cluster);
  }

  #failure(verb: "read" | "write", id: string, cause: unknown): Error {
    const { signal } = this.#options;
    signal.throwIfAborted();
    const { kind, name } = partsOf(id);
    return azureErrors.AzureRequestFailed(`cannot ${verb} ${kind} ${name}: ${azureFailure(cause)}`, {
      cause,
    });
  }
}

function partsOf(id: string): { readonly kind: string; readonly name: string } {
  const [kind = "", name = ""] = parseResourceId(id)?.path.at(-1) ?? [];
  return { kind, name };
}

function versionOf(id: string): string {
  const version = isResourceId(id)
    ? apiVersions[parseResourceId(id)?.namespace.toLowerCase() ?? ""]
    : undefined;
  if (version !== undefined) return version;
  throw azureErrors.AzureNotConfigured(`'${id}' is not the ID of a resource of a network or of storage`);
}
