import { createHash } from "node:crypto";
import { resourceGroupId } from "@keelson/arm";
import type { AzureClients, AzurePrincipal } from "@keelson/azure";
import { type Clock, type Logger, type Secret, withTimeout } from "@keelson/base";
import type { Stored } from "@keelson/database";
import { clusterLimits, connectKube, type KubeClient } from "@keelson/kube";
import {
  type ClusterDocument,
  type JournalDocument,
  type OpenShiftCluster,
  type OperationDocument,
  type ServiceDatabase,
  type StepLogDocument,
  type SubscriptionDocument,
  usesWorkloadIdentity,
} from "@keelson/model";
import {
  type Graph,
  isInterruption,
  Journal,
  type LeaseGuard,
  runGraph,
  type StepEvent,
  type StepScope,
} from "@keelson/workflow";
import { type BillingRecord, billingRecord } from "./context/billing-record.ts";
import { ClusterHandle } from "./context/cluster-handle.ts";
import type { ClusterContext } from "./context/context.ts";
import type { ClusterEnvironment } from "./context/environment.ts";
import { type GatewayRecord, gatewayRecord } from "./context/gateway-record.ts";
import { needsDiagnosis, withDiagnostics } from "./diagnostics/attach.ts";
import { gatherDiagnostics } from "./diagnostics/gather.ts";
import { explainStepError } from "./explain.ts";
import { adminUpdateGraph } from "./graphs/admin-update.ts";
import { bootstrapGraph, removeBootstrapGraph } from "./graphs/create.ts";
import { deleteGraph } from "./graphs/delete.ts";
import { updateGraph } from "./graphs/update.ts";
import {
  identityBootstrapGraph,
  identityDeleteGraph,
  identityRemoveBootstrapGraph,
  identityUpdateGraph,
} from "./graphs/workload-identity.ts";
import { readRoleSets } from "./identity/role-sets.ts";
import { readRelease } from "./install/release.ts";
import { operationJournal } from "./operation-journal.ts";
import { OperationWarnings } from "./operation-warnings.ts";
import { retryPolicy } from "./retry-policy.ts";

export interface ClusterOperationOptions {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  /** Cluster document, as read when the worker acquired the cluster. The document names the current operation. */
  readonly stored: Stored<ClusterDocument>;
  readonly operationId: string;
  readonly subscription: SubscriptionDocument;
  readonly guard: LeaseGuard;
  /** Aborts the work. */
  readonly signal: AbortSignal;
  /** Aborts when the worker stops. Running steps may finish, but no further step starts. */
  readonly draining: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onStep?: (event: StepEvent) => void;
  /**
   * Graphs to run. Default: the graphs for the cluster's provisioning state. In both cases, the steps are recorded in the journal
   * of `operationId`.
   */
  readonly plan?: readonly Graph<ClusterContext>[] | undefined;
}

/** Result of an operation that ended without an error. */
export type ClusterOperationResult =
  | "completed"
  /** The first install phase is complete. The next worker that acquires the cluster continues the installation. */
  | "handed-over"
  | "drained";

/** Runs an operation on one cluster while this worker has the lease. */
export class ClusterOperation implements AsyncDisposable {
  readonly #options: ClusterOperationOptions;
  readonly #handle: ClusterHandle;
  readonly #journal: Journal<JournalDocument, OperationDocument, StepLogDocument>;
  readonly #billing: BillingRecord;
  readonly #gateway: GatewayRecord;
  readonly #warnings = new OperationWarnings();
  readonly #azure = new Map<string, AzureClients>();
  #kube: { readonly kubeconfig: Secret; readonly client: KubeClient } | undefined;

  constructor(options: ClusterOperationOptions) {
    const { database, guard, clock, stored, operationId } = options;
    this.#options = options;
    this.#handle = new ClusterHandle({ database, guard }, stored);
    this.#gateway = gatewayRecord({ database, guard, handle: this.#handle });
    this.#billing = billingRecord({ database, guard, handle: this.#handle });
    const { partitionKey, key: clusterKey } = stored.document;
    const store = operationJournal(database, { operationId, partitionKey, clusterKey }, this.#warnings);
    this.#journal = new Journal(store, { guard, clock });
  }

  /** Returns the document from the last read or write. */
  get stored(): Stored<ClusterDocument> {
    return this.#handle.stored;
  }

  /** Reads the journal of earlier runs. Must be called first. */
  async load(): Promise<this> {
    await this.#journal.load(this.#options.signal);
    return this;
  }

  get attemptsWithoutProgress(): number {
    return this.#journal.attemptsWithoutProgress;
  }

  /**
   * Runs the operation. Steps that finished in earlier runs are skipped.
   * @throws the error of the failed operation, as a CloudError if the customer can fix it
   * @throws LeaseLost, RunInterrupted if a different worker must continue
   */
  async run(): Promise<ClusterOperationResult> {
    const { environment } = this.#options;
    const plan = this.#options.plan ?? planOf(this.#handle.cluster);
    const finished = this.#journal.finishedSteps;
    const unfinished = plan.find(({ steps }) => steps.some(({ name }) => !finished.has(name)));
    const graph = unfinished ?? plan[plan.length - 1];
    if (!graph) throw new Error("the operation consists of nothing");
    try {
      const result = await runGraph({
        ...this.#options,
        graph,
        plan,
        journal: this.#journal,
        context: (scope) => this.#context(scope),
        retryPolicy: retryPolicy(environment),
      });
      if (result === "drained") return result;
      return graph === plan[plan.length - 1] ? "completed" : "handed-over";
    } catch (error) {
      if (isInterruption(error)) throw error;
      const serviceGroupId = resourceGroupId(environment.subscriptionId, environment.resourceGroup);
      throw await this.#diagnosed(explainStepError(error, this.#handle.cluster, serviceGroupId));
    }
  }

  /** Adds diagnostics to the error of a failed operation. Returns the error unchanged if the diagnostics fail. */
  async #diagnosed(error: unknown): Promise<unknown> {
    const { provisioningState } = this.#handle.cluster.properties;
    if (provisioningState === "Deleting" || !needsDiagnosis(error)) return error;
    const { signal, guard, logger } = this.#options;
    const ours = withTimeout(AbortSignal.any([signal, guard.signal]), diagnosticsMs);
    const scope = { step: "diagnostics", attempt: 1, logger, report: () => {} };
    const found = await gatherDiagnostics({
      isInstall: provisioningState === "Creating",
      contextOf: (ofSource) => this.#context({ ...scope, signal: ofSource }),
      signal: ours,
      logger,
    });
    // Diagnostics are added only to errors of operations that customers see. For other operations, administrators find the
    // diagnostics in the log and the error in `lastAdminUpdateError`.
    const isForCustomers = provisioningState === "Creating" || provisioningState === "Updating";
    return isForCustomers ? withDiagnostics(error, found) : error;
  }

  #context(scope: StepScope): ClusterContext {
    const { environment, subscription, clock, guard, stored } = this.#options;
    const handle = this.#handle;
    const connection = {
      beforeRequest: () => guard.assertHeld(),
      logger: this.#options.logger,
      correlationId: stored.document.correlationData?.correlationId,
    };
    const firstParty = (subscriptionId: string) =>
      this.#connectAzure(subscriptionId, () => environment.connectAzure(subscriptionId, connection));
    return {
      ...scope,
      documentId: stored.document.id,
      get cluster() {
        return handle.cluster;
      },
      update: (change) => handle.update(change, scope.signal),
      warn: (warning) => {
        scope.logger.warn(warning, "operation has a warning");
        this.#warnings.add(warning);
      },
      subscription,
      get azure() {
        return firstParty(subscription.id);
      },
      get serviceAzure() {
        return firstParty(environment.subscriptionId);
      },
      azureAs: (credential) =>
        this.#connectAzure(keyOf(credential), () =>
          environment.connectAzureAs(credential, subscription.id, connection),
        ),
      connection,
      roleSets: () => readRoleSets(this.#options.database, scope.signal),
      release: () =>
        readRelease(
          this.#options.database.collections.versions,
          handle.cluster.properties.clusterProfile.version,
          scope.signal,
        ),
      correlation: stored.document.correlationData,
      kube: () => this.#connectKube(connection.beforeRequest),
      billing: this.#billing,
      gateway: this.#gateway,
      environment,
      clock,
    };
  }

  /** Reuses clients within the operation, because each client requests its own tokens. */
  #connectAzure(key: string, connect: () => AzureClients): AzureClients {
    const azure = this.#azure.get(key) ?? connect();
    this.#azure.set(key, azure);
    return azure;
  }

  /** Closes the connections to the cluster. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kube?.client[Symbol.asyncDispose]();
  }

  #connectKube(beforeRequest: () => void): KubeClient {
    const kubeconfig = this.#handle.cluster.properties.aroServiceKubeconfig;
    if (!kubeconfig) throw new Error("the cluster has no kubeconfig for the service yet");
    if (!this.#kube?.kubeconfig.equals(kubeconfig)) {
      const { privateEndpointIp } = this.#handle.cluster.properties.networkProfile;
      const { responses, clusterAddress: internalAddress = privateEndpointIp } = this.#options.environment;
      const client = connectKube({
        kubeconfig: kubeconfig.reveal(),
        beforeRequest,
        userAgent,
        fieldManager,
        reader: { name: "backend", resourceId: this.#handle.cluster.id, limits: clusterLimits },
        responses,
        internalAddress,
      });
      this.#kube = { kubeconfig, client };
    }
    return this.#kube.client;
  }
}

/** Returns the cache key of a principal. A changed certificate requires a new connection. */
function keyOf(credential: AzurePrincipal): string {
  const secret = "certificate" in credential ? credential.certificate.reveal() : "";
  return `as ${credential.clientId} ${createHash("sha256").update(secret).digest("hex")}`;
}

/** Time limit of the diagnostics in ms. It is short, because a failed operation ends only after its diagnostics. */
const diagnosticsMs = 60_000;

const userAgent = "keelson-rp";
const fieldManager = "keelson-rp";

/**
 * Returns the graphs of the operation in order. The journal, not the phase in the document, determines which graph runs next. The
 * phase is unsuitable, because it changes before the journal records the step, and is removed before the operation ends.
 */
function planOf(cluster: OpenShiftCluster): readonly Graph<ClusterContext>[] {
  const { provisioningState } = cluster.properties;
  const hasIdentities = usesWorkloadIdentity(cluster);
  switch (provisioningState) {
    case "Creating":
      return hasIdentities
        ? [identityBootstrapGraph, identityRemoveBootstrapGraph]
        : [bootstrapGraph, removeBootstrapGraph];
    case "Updating":
      return [hasIdentities ? identityUpdateGraph : updateGraph];
    case "AdminUpdating":
      return [adminUpdateGraph(cluster)];
    case "Deleting":
      return [hasIdentities ? identityDeleteGraph : deleteGraph];
    case "Succeeded":
    case "Failed":
      throw new Error(`nothing is to be done on a cluster in state ${provisioningState}`);
    default:
      return provisioningState satisfies never;
  }
}
