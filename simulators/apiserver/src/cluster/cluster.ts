import type { ClusterClient, KubeObject } from "@keelson/apimachinery";
import { type Clock, type Logger, messageOf, type Secret } from "@keelson/base";
import { type Controller, ControllerGroup } from "@keelson/controller";
import { AdmissionChain } from "../admission/admission-chain.ts";
import { IdentityAdmission } from "../admission/identity-admission.ts";
import type { Attributes } from "../auth/attributes.ts";
import { Authenticator } from "../auth/authenticator.ts";
import { ClientAuthorities } from "../auth/client-certificate.ts";
import { ClusterKeys } from "../auth/cluster-keys.ts";
import type { PolicyRule } from "../auth/policy-rule.ts";
import { type AllowedSubjects, RbacAuthorizer } from "../auth/rbac.ts";
import { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { StaticTokens } from "../auth/static-tokens.ts";
import type { TokenAuthenticator } from "../auth/token-authenticator.ts";
import type { User } from "../auth/user.ts";
import { CertificateController } from "../controllers/certificate-controller.ts";
import { DefinitionController } from "../controllers/definition-controller.ts";
import { EventExpiry } from "../controllers/event-expiry.ts";
import { GarbageCollector } from "../controllers/garbage-collector.ts";
import {
  type AdvertisedAddress,
  KubernetesServiceController,
} from "../controllers/kubernetes-service-controller.ts";
import { NamespaceController } from "../controllers/namespace-controller.ts";
import { PolicyStatusController } from "../controllers/policy-status-controller.ts";
import { ResourceQuotaController } from "../controllers/resource-quota-controller.ts";
import { RoleAggregationController } from "../controllers/role-aggregation-controller.ts";
import { ServiceAccountTokenController } from "../controllers/service-account-token-controller.ts";
import { StorageProtectionController } from "../controllers/storage-protection-controller.ts";
import { runnable, type StoreController } from "../controllers/store-controller.ts";
import { DerivedDocuments } from "../discovery/derived-documents.ts";
import type { ApiFaults } from "../faults/api-faults.ts";
import { SkewableClock } from "../faults/skewable-clock.ts";
import type { FrameCache } from "../http/messages/watch-stream.ts";
import type { ServiceAccountToken, ServiceAccountTokenRequest } from "../registry/token-request.ts";
import { issueToken } from "../registry/token-request.ts";
import type { Admission } from "../resources/admission-request.ts";
import type { AggregatedResource } from "../resources/aggregated-resource.ts";
import { builtinResources } from "../resources/builtin-resources.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import { ResourceDirectory } from "../resources/resource-directory.ts";
import type { RevisionStore } from "../storage/revision-store.ts";
import { VersionConverter } from "../webhooks/convert.ts";
import { type NetworkAddress, type ServiceRoute, WebhookClient } from "../webhooks/webhook-client.ts";
import { publishedDefinitionOf, servedResourcesOf } from "./aggregated-resources.ts";
import { bootstrapCluster } from "./bootstrap.ts";
import { type InProcessUser, inProcessClient } from "./in-process-client.ts";
import type { Kubelet } from "./kubelet.ts";
import type { ClusterTrust, LogicalCluster } from "./logical-cluster.ts";
import type { OpenPath } from "./open-path.ts";
import { reconcilePolicy } from "./reconcile-policy.ts";
import type { ServedRequests } from "./request-metrics.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { endpointRoute, ReplaceableRoute } from "./service-route.ts";
import type { ServingCertificate, ServingCertificates } from "./serving-certificates.ts";
import type { ClusterSettings } from "./settings.ts";

export interface ClusterDeps {
  readonly store: RevisionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly frames: FrameCache;
  /** CA of the server's certificate. Pods and other clients inside the cluster use it. */
  readonly authorityPem: string;
  readonly watchList: boolean;
  /** True if the cluster runs the controllers of kube-controller-manager. */
  readonly controllerManager: boolean;
  /** Names of disabled admission plugins. */
  readonly disabledPlugins: ReadonlySet<string>;
  readonly servingCertificates: ServingCertificates;
  /** Endpoint of the Service `kubernetes`. Undefined on a machine without a network. */
  readonly advertised: AdvertisedAddress | undefined;
  readonly rootAddress: () => Promise<NetworkAddress>;
}

/** Open logical cluster: its objects, authentication, authorization and controllers. */
export class Cluster implements LogicalCluster {
  readonly name: string;
  readonly url: string;
  readonly rootAddress: () => Promise<NetworkAddress>;
  readonly client: ClusterClient;
  readonly context: RegistryContext;
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
  readonly keys: ClusterKeys;
  readonly tokens: ServiceAccountTokens;
  readonly documents: DerivedDocuments;
  readonly requests = new RequestMetrics();
  readonly frames: FrameCache;
  /** True if a watch may begin with a list. */
  readonly watchList: boolean;
  readonly logger: Logger;
  readonly #closed = new AbortController();
  #off = new AbortController();
  #kubelet: Kubelet | undefined;
  readonly #authorityPem: string;
  readonly #servingCertificates: ServingCertificates;
  readonly #controllerManager: boolean;
  readonly #advertised: AdvertisedAddress | undefined;
  readonly #clientAuthorities: ClientAuthorities;
  readonly #clock: SkewableClock;
  readonly #admission: AdmissionChain;
  readonly #webhooks: WebhookClient;
  readonly #serviceRoute: ReplaceableRoute;
  readonly #eventExpiry: EventExpiry;
  #openPaths: Readonly<Record<string, OpenPath>> = {};
  #declaredDefinitions: readonly KubeObject[] = [];
  #gitVersion: string;
  #faults: ApiFaults | undefined;

  constructor(name: string, url: string, settings: ClusterSettings, deps: ClusterDeps) {
    const { store, logger, frames, authorityPem } = deps;
    this.watchList = deps.watchList;
    this.#servingCertificates = deps.servingCertificates;
    const clock = new SkewableClock(deps.clock);
    const directory = new ResourceDirectory(builtinResources);
    this.name = name;
    this.url = url;
    this.rootAddress = deps.rootAddress;
    this.authorizer = new RbacAuthorizer(store);
    this.#serviceRoute = new ReplaceableRoute(endpointRoute(store));
    this.#webhooks = new WebhookClient(this.#serviceRoute.find);
    this.#admission = new AdmissionChain({
      store,
      directory,
      clock,
      webhooks: this.#webhooks,
      authorizer: this.authorizer,
      logger,
      signal: this.#closed.signal,
      disabledPlugins: deps.disabledPlugins,
    });
    const stopsPods = () => this.#kubelet !== undefined;
    this.#admission.add(new IdentityAdmission({ clock, authorizer: this.authorizer }));
    const converter = new VersionConverter(this.#webhooks, this.#closed.signal);
    this.context = { store, directory, clock, admission: this.#admission, converter, stopsPods };
    this.#eventExpiry = new EventExpiry(this.context);
    this.client = inProcessClient(this.context, this.#closed.signal);
    this.keys = new ClusterKeys(store, settings.keys);
    this.tokens = new ServiceAccountTokens(store, this.keys, clock, settings.serviceAccountIssuer);
    this.#clientAuthorities = new ClientAuthorities(
      settings.clientCertificateAuthorities,
      () => this.keys.findCertificateSigner()?.certificatePem,
    );
    this.authenticator = new Authenticator({
      authorities: this.#clientAuthorities,
      staticTokens: new StaticTokens(settings.tokens),
      serviceAccounts: this.tokens,
      clock,
    });
    this.documents = new DerivedDocuments(directory);
    this.frames = frames;
    this.logger = logger;
    this.#authorityPem = authorityPem;
    this.#controllerManager = deps.controllerManager;
    this.#advertised = deps.advertised;
    this.#clock = clock;
    this.#gitVersion = settings.gitVersion;
  }

  /** Returns a client that writes as a different user. */
  clientAs(user: InProcessUser): ClusterClient {
    return inProcessClient(this.context, this.#closed.signal, user);
  }

  get gitVersion(): string {
    return this.#gitVersion;
  }

  setServingCertificates(source: string, certificates: readonly ServingCertificate[]): void {
    this.#servingCertificates.set(this.name, source, certificates);
  }

  setEventTtl(ttlMs: number | undefined): void {
    this.#eventExpiry.setTtl(ttlMs);
  }

  setGitVersion(gitVersion: string): void {
    this.#gitVersion = gitVersion;
  }

  get faults(): ApiFaults | undefined {
    return this.#faults;
  }

  setFaults(faults: ApiFaults | undefined): void {
    this.#faults = faults;
    this.#clock.skewMs = faults?.clockSkewMs ?? 0;
  }

  /** Signal that aborts when the cluster closes. All watches then end. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  get serving(): boolean {
    return !this.#off.signal.aborted;
  }

  /** Signal that aborts when the cluster stops serving network requests. All streams then end. */
  get networkSignal(): AbortSignal {
    return AbortSignal.any([this.#closed.signal, this.#off.signal]);
  }

  setServing(serving: boolean): void {
    if (serving && !this.serving) this.#off = new AbortController();
    if (!serving) this.#off.abort();
  }

  async forgetHistory(): Promise<void> {
    const { store } = this.context;
    await store.compact(store.head);
  }

  dropStreams(): void {
    if (!this.serving) return;
    this.#off.abort();
    this.#off = new AbortController();
  }

  get kubelet(): Kubelet | undefined {
    return this.#kubelet;
  }

  servedRequests(): readonly ServedRequests[] {
    return this.requests.served();
  }

  setKubelet(kubelet: Kubelet | undefined): void {
    this.#kubelet = kubelet;
  }

  declarePaths(paths: Readonly<Record<string, OpenPath>>): void {
    this.#openPaths = { ...this.#openPaths, ...paths };
  }

  /** Returns the handler of a public path, or undefined for an API path. */
  openPath(path: string): OpenPath | undefined {
    return Object.hasOwn(this.#openPaths, path) ? this.#openPaths[path] : undefined;
  }

  declareResources(resources: readonly AggregatedResource[]): void {
    for (const each of resources) {
      const { group, plural } = each;
      this.context.directory.declare(`declared/${group}/${plural}`, servedResourcesOf(each));
    }
    const kept = this.#declaredDefinitions.filter(
      ({ metadata }) => !resources.some(({ group, plural }) => metadata.name === `${plural}.${group}`),
    );
    this.#declaredDefinitions = [...kept, ...resources.map(publishedDefinitionOf)];
  }

  /** Returns the definitions of aggregated resources for OpenAPI documents. */
  get declaredDefinitions(): readonly KubeObject[] {
    return this.#declaredDefinitions;
  }

  async allows(user: User, attributes: Attributes): Promise<boolean> {
    return (await this.authorizer.decide(user, attributes)).allowed;
  }

  allowedSubjects(attributes: Attributes): Promise<AllowedSubjects> {
    return this.authorizer.allowedSubjects(attributes);
  }

  effectiveRules(user: User, namespace: string, limit?: readonly PolicyRule[]) {
    return this.authorizer.effectiveRules(user, namespace, limit);
  }

  addAdmission(admission: Admission): void {
    this.#admission.add(admission);
  }

  setServiceRoute(route: ServiceRoute): void {
    this.#serviceRoute.replace(route);
  }

  issueToken(request: ServiceAccountTokenRequest): Promise<ServiceAccountToken> {
    const { store, clock } = this.context;
    return issueToken({ store, clock, tokens: this.tokens }, request);
  }

  async trust(): Promise<ClusterTrust> {
    const [tokenKey, clientSigner] = await Promise.all([this.keys.tokenKey(), this.keys.certificateSigner()]);
    return {
      servingAuthorityPem: this.#authorityPem,
      tokenKeyPem: tokenKey.publicPem,
      clientSignerPem: clientSigner.certificatePem,
    };
  }

  async tokenSigningKey(): Promise<Secret> {
    return (await this.keys.tokenKey()).privatePem;
  }

  reconcilePolicy(wanted: readonly KubeObject[]): Promise<void> {
    const { store } = this.context;
    const hasPlace = ({ metadata: { namespace } }: KubeObject) =>
      namespace === undefined || store.get("/namespaces", namespace) !== undefined;
    return reconcilePolicy(this.context, wanted.filter(hasPlace));
  }

  addTokenAuthenticator(authenticator: TokenAuthenticator): void {
    this.authenticator.add(authenticator);
  }

  /** Starts the controllers and creates the initial objects. Resolves when the objects are durable. */
  async start(): Promise<void> {
    const { store, clock } = this.context;
    const isNew = store.count("/namespaces") === 0;
    const controllers = new ControllerGroup(this.#controllers(), {
      context: undefined,
      defaults: { maxRetryMs: 5_000 },
      clock,
      logger: this.logger,
    });
    const running = controllers.run(this.#closed.signal);
    running.catch((error: unknown) =>
      this.logger.error({ error: messageOf(error) }, "the cluster's controllers stopped"),
    );
    await Promise.race([running, bootstrapCluster(this.context, this.#clientAuthorities.pem)]);
    // The start of a new cluster waits for the controllers. The start of an existing cluster does not wait, because slow webhooks
    // could delay the controllers.
    if (isNew) await controllers.idle("namespace", "kubernetes-service");
  }

  #controllers(): readonly Controller<undefined>[] {
    const ofApiServer: readonly StoreController[] = [
      new DefinitionController(this.context),
      new KubernetesServiceController(this.context, this.#advertised),
      this.#eventExpiry,
      new PolicyStatusController(this.context),
    ];
    const tokens = { tokens: this.tokens, authorityPem: this.#authorityPem };
    const certificates = { keys: this.keys, authorizer: this.authorizer };
    const ofControllerManager: readonly StoreController[] = [
      new NamespaceController(this.context, this.#authorityPem),
      new GarbageCollector(this.context),
      new RoleAggregationController(this.context),
      new StorageProtectionController(this.context),
      new ResourceQuotaController(this.context, this.#closed.signal),
      new ServiceAccountTokenController(this.context, tokens),
      new CertificateController(this.context, certificates),
    ];
    const controllers = this.#controllerManager ? [...ofApiServer, ...ofControllerManager] : ofApiServer;
    return controllers.map((controller) => runnable(controller, this.context.store));
  }

  close(): void {
    this.#closed.abort();
    this.#webhooks[Symbol.dispose]();
  }
}
