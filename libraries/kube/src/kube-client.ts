import type { Duplex, Readable } from "node:stream";
import { isPlainObject, objectAt, valueAt } from "@keelson/base";
import type { ConnectionPool } from "./connections/connection-pool.ts";
import { Transport, type TransportRequest } from "./connections/transport.ts";
import { hiddenDifferences } from "./hidden-differences.ts";
import type {
  ApplyOptions,
  DeleteOptions,
  DryRun,
  JsonPatchStep,
  KubeApi,
  KubeList,
  ListSelection,
  Selection,
  WatchOptions,
} from "./kube-api.ts";
import { discoverResource } from "./kube-discovery.ts";
import { type KubeAccess, readKubeconfig } from "./kubeconfig/read-kubeconfig.ts";
import { type ServiceAccountFiles, serviceAccountAccess } from "./kubeconfig/service-account-access.ts";
import { differences } from "./objects/differences.ts";
import { isKubeObject, type KubeObject, type ObjectKey } from "./objects/kube-object.ts";
import { apiVersionOf, type KubeResource, resources } from "./objects/kube-resource.ts";
import { BodyReader } from "./responses/bounded-body.ts";
import { ClusterResponses } from "./responses/cluster-responses.ts";
import type { Fields } from "./responses/fields.ts";
import { isConflict, isKubeNotFound, KubeError } from "./responses/kube-error.ts";
import {
  type CollectedResponse,
  type ParsedResponse,
  type ReaderOptions,
  ResponseReader,
  type ResponseSelection,
} from "./responses/response-reader.ts";
import {
  type ExecOutput,
  type ExecRequest,
  execOutput,
  execPath,
  execProtocols,
} from "./streams/kube-exec.ts";
import { portConnection, portForwardPath, portForwardProtocols } from "./streams/port-forward.ts";
import { type ServiceAccountToken, serviceAccountTokenOf, tokenRequest } from "./token-request.ts";
import { type WatchEvent, WatchEvents } from "./watch.ts";

/** Client options other than the credentials. */
export interface KubeClientOptions {
  /** Called before every request. If it throws, the request is not sent. Workers check here that they still hold their lease. */
  readonly beforeRequest?: () => void;
  readonly userAgent: string;
  /** IP address of servers with a name that starts with `api-int.`. Only the cluster's own machines can resolve such a name. */
  readonly internalAddress?: string | undefined;
  /** Connections shared with other clients. Default: separate connections. */
  readonly connections?: ConnectionPool | undefined;
  /** Field manager name of this client in `managedFields`. */
  readonly fieldManager: string;
  /** Time limit of each request in ms. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Worker threads and CPU allowances shared with other clients. Default: separate ones. */
  readonly responses?: ClusterResponses | undefined;
  /** Component that reads the cluster, with the limits for its reads. Default: `client` with generous limits. */
  readonly reader?: ReaderOptions | undefined;
}

export interface KubeOptions extends KubeClientOptions {
  /** Kubeconfig as YAML. Its current context is used. */
  readonly kubeconfig: string;
}

/** Page of a list, with the list's kind and API version. */
export interface KubePage<T extends KubeObject = KubeObject> extends KubeList<T> {
  /** Kind of the list, for example `PodList`. */
  readonly kind: string;
  readonly apiVersion: string;
  /** Continue token of the next page. Undefined on the last page. */
  readonly continue: string | undefined;
}

export interface LogOptions {
  readonly container: string;
  /** True to stream the log until the container exits. */
  readonly follow?: boolean;
  /** Maximum size in bytes. The log ends there. Default: `maxBytes` of the client. */
  readonly limitBytes?: number;
  /** Number of lines to return, counted from the end of the log. Default: all lines. */
  readonly tailLines?: number;
}

/**
 * Client of one cluster. It has the permissions of the kubeconfig's user. Every method throws `KubeError`, or the signal's reason
 * after an abort.
 */
export interface KubeClient extends KubeApi, AsyncDisposable {
  readonly server: string;
  /** Returns one page of at most `limit` selected objects. `continue` is the continue token of the previous page. */
  page(
    resource: KubeResource,
    selection: ListSelection & { readonly limit: number; readonly continue?: string },
    signal: AbortSignal,
  ): Promise<KubePage>;
  /** Finds the resource for `kind` or `kind.group`, optionally in one version. Undefined if the server does not serve it. */
  findResource(kind: string, signal: AbortSignal, version?: string): Promise<KubeResource | undefined>;
  /** Streams the output of a container. */
  logs(pod: Required<ObjectKey>, options: LogOptions, signal: AbortSignal): AsyncIterable<Buffer>;
  /** Runs a command in a container. */
  exec(request: ExecRequest, signal: AbortSignal): AsyncIterable<ExecOutput>;
  /**
   * Creates the object if it does not exist. If it exists and a field of `object` has a different value, patches it. Fields that
   * `object` does not contain stay unchanged, and so does the status.
   */
  ensure(
    resource: KubeResource,
    object: KubeObject,
    signal: AbortSignal,
  ): Promise<"created" | "updated" | "unchanged">;
  /** Returns true if the server reports that it is ready. Returns false if it is not ready or does not respond. */
  ready(signal: AbortSignal): Promise<boolean>;
  /** Sends a GET request to a server path such as `/healthz`. Returns the status code, or 0 without a response. */
  statusCode(path: string, signal: AbortSignal): Promise<number>;
  /** Creates a service account token for the API server. The token is valid for `expirationSeconds` (at least 600). */
  requestToken(
    serviceAccount: Required<ObjectKey>,
    expirationSeconds: number,
    signal: AbortSignal,
  ): Promise<ServiceAccountToken>;
  /** Creates an object that the server evaluates but does not store, such as a TokenReview. Returns its status. */
  review(resource: KubeResource, spec: object, signal: AbortSignal): Promise<unknown>;
  /** Connects to a port of a pod. The connection ends when the pod closes it or the signal aborts. */
  connectPort(pod: Required<ObjectKey>, port: number, signal: AbortSignal): Promise<Duplex>;
  /** Reads JSON that the cluster sent over a different connection, such as `connectPort`. The client's limits apply. */
  readJson(
    body: Readable,
    request: string,
    selection: ResponseSelection,
    signal: AbortSignal,
  ): Promise<ParsedResponse>;
}

/** Maximum number of objects per page. A page with large objects has a few megabytes. */
const pageSize = 250;

/** Idle timeout in ms of a followed log. A container may be silent for a long time. */
const logSilenceMs = 30 * 60_000;

/**
 * Returns a client of the kubeconfig's cluster. The first request opens the first connection. Disposal closes all connections.
 * @throws KubeError InvalidKubeconfig
 */
export function connectKube({ kubeconfig, ...options }: KubeOptions): KubeClient {
  return connect(readKubeconfig(kubeconfig), options);
}

/** Connects as the service account of the program's pod. @throws KubeError InvalidServiceAccount */
export async function connectInCluster(
  files: ServiceAccountFiles,
  options: KubeClientOptions,
): Promise<KubeClient> {
  return connect(await serviceAccountAccess(files), options);
}

function connect(access: KubeAccess, options: KubeClientOptions): KubeClient {
  const transport = new Transport({
    access,
    userAgent: options.userAgent,
    internalAddress: options.internalAddress,
    connections: options.connections,
    timeoutMs: options.timeoutMs ?? 30_000,
    beforeRequest: options.beforeRequest ?? (() => {}),
  });
  return new HttpKubeClient(transport, options);
}

const ownReader: ReaderOptions = { name: "client" };

class HttpKubeClient implements KubeClient {
  readonly server: string;
  readonly #transport: Transport;
  readonly #fieldManager: string;
  readonly #reader: ResponseReader;
  /** Worker threads that only this client uses. Undefined if the worker threads are shared with other clients. */
  readonly #ownResponses: ClusterResponses | undefined;

  constructor(transport: Transport, options: KubeClientOptions) {
    const { fieldManager, responses, internalAddress = "" } = options;
    this.server = transport.server;
    this.#transport = transport;
    this.#fieldManager = fieldManager;
    const shared = responses ?? new ClusterResponses();
    this.#ownResponses = responses ? undefined : shared;
    this.#reader = new ResponseReader(
      shared,
      `${this.server} ${internalAddress}`,
      options.reader ?? ownReader,
    );
  }

  get<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    signal: AbortSignal,
    fields?: Fields,
  ): Promise<T> {
    return this.#object({ method: "GET", path: pathOf(resource, key.namespace, key.name) }, signal, fields);
  }

  async find<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    signal: AbortSignal,
    fields?: Fields,
  ): Promise<T | undefined> {
    try {
      return await this.get(resource, key, signal, fields);
    } catch (error) {
      if (isKubeNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Reads the list in pages of 250 objects. @throws KubeError TooLarge if the list exceeds the reader's limits */
  async list<T extends KubeObject>(
    resource: KubeResource<T>,
    selection: ListSelection,
    signal: AbortSignal,
  ): Promise<KubeList<T>> {
    const { listBytes, selectedBytes, pages, objects } = this.#reader.limits;
    const { maxObjects = objects } = selection;
    const items: T[] = [];
    const name = `listing ${resource.plural}`;
    let bytes = 0;
    let left = selectedBytes;
    let page: KubePage<T> | undefined;
    for (let count = 1; page === undefined || page.continue; count++) {
      if (count > pages) throw this.#reader.exceeded(name, "pages");
      const next = page?.continue === undefined ? {} : { continue: page.continue };
      const parsed = await this.#page(resource, { ...selection, limit: pageSize, ...next }, signal, left);
      bytes += parsed.bytes;
      if (bytes > listBytes) throw this.#reader.exceeded(name, "listBytes");
      left -= parsed.selectedBytes;
      page = pageOf(resource, parsed);
      for (const item of page.items) items.push(item);
      if (items.length > maxObjects) throw this.#reader.exceeded(name, "objects", maxObjects);
    }
    return { items, resourceVersion: page.resourceVersion };
  }

  async page(
    resource: KubeResource,
    selection: ListSelection & { readonly limit: number; readonly continue?: string },
    signal: AbortSignal,
  ): Promise<KubePage> {
    return pageOf(resource, await this.#page(resource, selection, signal, this.#reader.limits.selectedBytes));
  }

  findResource(kind: string, signal: AbortSignal, version?: string): Promise<KubeResource | undefined> {
    const read = (path: string) => this.#value({ method: "GET", path }, signal);
    return discoverResource(read, kind, version);
  }

  create<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T> {
    const path = pathOf(resource, object.metadata.namespace) + this.#managerQuery();
    return this.#object({ method: "POST", path, body: object }, signal);
  }

  replace<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T> {
    return this.#replace(resource, object, signal);
  }

  replaceStatus<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T> {
    return this.#replace(resource, object, signal, "status");
  }

  mergePatch<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    subresource?: "status" | "approval",
  ): Promise<T> {
    const path = pathOf(resource, key.namespace, key.name, subresource) + this.#managerQuery();
    const contentType = "application/merge-patch+json";
    return this.#object({ method: "PATCH", path, body: patch, contentType }, signal);
  }

  jsonPatch<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    steps: readonly JsonPatchStep[],
    signal: AbortSignal,
    subresource?: "status",
  ): Promise<T> {
    const path = pathOf(resource, key.namespace, key.name, subresource) + this.#managerQuery();
    const contentType = "application/json-patch+json";
    return this.#object({ method: "PATCH", path, body: steps, contentType }, signal);
  }

  apply<T extends KubeObject>(
    resource: KubeResource<T>,
    object: KubeObject,
    signal: AbortSignal,
    options: ApplyOptions = {},
  ): Promise<T> {
    return this.#object(this.#applyRequest(resource, object, options), signal);
  }

  async dryRunApply<T extends KubeObject>(
    resource: KubeResource<T>,
    object: KubeObject,
    signal: AbortSignal,
    options: ApplyOptions = {},
  ): Promise<DryRun<T>> {
    const warnings: string[] = [];
    const request = this.#applyRequest(resource, object, options, "All");
    const onWarning = (text: string) => warnings.push(text);
    return { object: await this.#object<T>({ ...request, onWarning }, signal), warnings };
  }

  async delete(
    resource: KubeResource,
    key: ObjectKey,
    signal: AbortSignal,
    { mustExist = false, propagationPolicy = "Background", ...options }: DeleteOptions = {},
  ): Promise<void> {
    const path = pathOf(resource, key.namespace, key.name);
    const body = { propagationPolicy, ...options };
    try {
      await this.#discard({ method: "DELETE", path, body }, signal);
    } catch (error) {
      if (mustExist || !isKubeNotFound(error)) throw error;
    }
  }

  logs(
    { namespace, name }: Required<ObjectKey>,
    { container, follow, limitBytes, tailLines }: LogOptions,
    signal: AbortSignal,
  ): AsyncIterable<Buffer> {
    const query = queryOf({ container, follow, limitBytes, tailLines });
    const path = `/api/v1/namespaces/${[namespace, "pods", name, "log"].map(encodeURIComponent).join("/")}`;
    const request = { method: "GET", path: path + query, accept: "*/*" } as const;
    const chunks = this.#transport.chunks(request, logSilenceMs, signal);
    const { bytes } = this.#reader.limits;
    return upTo(chunks, Math.min(limitBytes ?? bytes, bytes));
  }

  exec(request: ExecRequest, signal: AbortSignal): AsyncIterable<ExecOutput> {
    const open = () => this.#transport.webSocket(execPath(request), execProtocols, signal);
    return execOutput(open, signal);
  }

  watch<T extends KubeObject>(
    resource: KubeResource<T>,
    { namespace, sendInitialEvents, resourceVersion, ...selectors }: WatchOptions,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>> {
    // Watch timeouts are spread over five to ten minutes, so that watches do not reconnect at the same time.
    const timeoutSeconds = 300 + Math.floor(Math.random() * 300);
    const query = queryOf({
      ...selectorQuery(selectors),
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion,
      timeoutSeconds,
      ...(sendInitialEvents ? { sendInitialEvents, resourceVersionMatch: "NotOlderThan" } : {}),
    });
    const request = { method: "GET", path: pathOf(resource, namespace) + query } as const;
    const limitMs = (timeoutSeconds + 30) * 1_000;
    // A watch may be silent for any time. The connection itself detects an unreachable server.
    const open = () => this.#transport.open(request, signal);
    const limit = {
      tokens: this.#reader.limits.objectTokens,
      exceeded: () => this.#reader.exceeded(nameOf(request), "objectTokens"),
    };
    return new WatchEvents<T>(open, request.path, limitMs, limit);
  }

  async ensure(
    resource: KubeResource,
    object: KubeObject,
    signal: AbortSignal,
  ): Promise<"created" | "updated" | "unchanged"> {
    const wanted = desired(object);
    const { name, namespace } = object.metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    // If a second writer creates or deletes the object between this read and this write, the loop reads the object once more.
    for (let attempt = 1; ; attempt++) {
      const live = await this.find(resource, key, signal);
      try {
        if (!live) {
          await this.create(resource, wanted, signal);
          return "created";
        }
        const patch =
          differences(live, wanted) ??
          (await hiddenDifferences(this, resource, { live, wanted }, this.#fieldManager, signal));
        if (!patch) return "unchanged";
        await this.mergePatch(resource, key, patch, signal);
        return "updated";
      } catch (error) {
        if (attempt > 1 || !(live ? isKubeNotFound(error) : isConflict(error))) throw error;
      }
    }
  }

  async ready(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#discard({ method: "GET", path: "/readyz" }, signal);
      return true;
    } catch (error) {
      if (error instanceof KubeError && error.retry === "backoff") return false;
      throw error;
    }
  }

  async statusCode(path: string, signal: AbortSignal): Promise<number> {
    try {
      await this.#discard({ method: "GET", path, accept: "*/*" }, signal);
      return 200;
    } catch (error) {
      if (error instanceof KubeError) return error.code;
      throw error;
    }
  }

  async connectPort(pod: Required<ObjectKey>, port: number, signal: AbortSignal): Promise<Duplex> {
    const socket = await this.#transport.webSocket(portForwardPath(pod, port), portForwardProtocols, signal);
    return portConnection(socket, signal);
  }

  async requestToken(
    { namespace, name }: Required<ObjectKey>,
    expirationSeconds: number,
    signal: AbortSignal,
  ): Promise<ServiceAccountToken> {
    const path = pathOf(resources.serviceAccounts, namespace, name, "token");
    const body = tokenRequest(expirationSeconds);
    return serviceAccountTokenOf(await this.#value({ method: "POST", path, body }, signal));
  }

  async review(resource: KubeResource, spec: object, signal: AbortSignal): Promise<unknown> {
    const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, spec };
    return valueAt(await this.#value({ method: "POST", path: pathOf(resource), body }, signal), "status");
  }

  async readJson(
    body: Readable,
    request: string,
    selection: ResponseSelection,
    signal: AbortSignal,
  ): Promise<ParsedResponse> {
    this.#reader.admit(request);
    const collected = await this.#reader.collect(new BodyReader(body, (cause) => cause), request);
    return this.#reader.parse(collected, selection, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
    await this.#ownResponses?.[Symbol.asyncDispose]();
  }

  #replace<T extends KubeObject>(
    resource: KubeResource<T>,
    object: T,
    signal: AbortSignal,
    subresource?: "status",
  ): Promise<T> {
    const { namespace, name } = object.metadata;
    const path = pathOf(resource, namespace, name, subresource) + this.#managerQuery();
    return this.#object({ method: "PUT", path, body: object }, signal);
  }

  #applyRequest(
    resource: KubeResource,
    object: KubeObject,
    { force, subresource, fieldManager = this.#fieldManager }: ApplyOptions,
    dryRun?: "All",
  ): TransportRequest {
    const { namespace, name } = object.metadata;
    const path = pathOf(resource, namespace, name, subresource) + queryOf({ fieldManager, force, dryRun });
    // API servers before Kubernetes 1.30 accept only YAML for server-side apply. JSON is valid YAML.
    return { method: "PATCH", path, body: object, contentType: "application/apply-patch+yaml" };
  }

  async #object<T extends KubeObject>(
    request: TransportRequest,
    signal: AbortSignal,
    fields?: Fields,
  ): Promise<T> {
    const value = await this.#value(request, signal, fields);
    if (isKubeObject(value)) return value as T;
    throw new KubeError(
      0,
      "InvalidAnswer",
      `${request.method} ${request.path} returned an invalid Kubernetes object`,
    );
  }

  async #value(request: TransportRequest, signal: AbortSignal, fields: Fields = true): Promise<unknown> {
    return (await this.#parsed(request, { fields }, signal)).value;
  }

  #page(
    resource: KubeResource,
    { fields = true, ...selection }: ListSelection & { readonly limit: number; readonly continue?: string },
    signal: AbortSignal,
    maxBytes: number,
  ): Promise<ParsedResponse> {
    const query = { ...selectorQuery(selection), limit: selection.limit, continue: selection.continue };
    const path = pathOf(resource, selection.namespace) + queryOf(query);
    const selected = { fields: { ...listFields, items: fields }, items: ["items"], maxBytes };
    const accept = isMetadataOnly(fields) ? { accept: metadataList } : {};
    return this.#parsed({ method: "GET", path, ...accept }, selected, signal);
  }

  async #parsed(
    request: TransportRequest,
    selection: ResponseSelection,
    signal: AbortSignal,
  ): Promise<ParsedResponse> {
    const name = nameOf(request);
    this.#reader.admit(name);
    const collect = (body: BodyReader): Promise<CollectedResponse> => this.#reader.collect(body, name);
    return this.#reader.parse(await this.#transport.read(request, signal, collect), selection, signal);
  }

  #discard(request: TransportRequest, signal: AbortSignal): Promise<void> {
    return this.#transport.read(request, signal, (body) => this.#reader.discard(body, nameOf(request)));
  }

  #managerQuery(): string {
    return queryOf({ fieldManager: this.#fieldManager });
  }
}

/** Fields of a list that are read in addition to its items. */
const listFields = { kind: true, apiVersion: true, metadata: { resourceVersion: true, continue: true } };

/**
 * Media type that requests a list of metadata without specs and statuses. A server that does not support it returns complete
 * objects.
 */
const metadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

function isMetadataOnly(fields: Fields): boolean {
  if (typeof fields === "boolean") return false;
  return Object.keys(fields).every((name) => ["apiVersion", "kind", "metadata"].includes(name));
}

function nameOf({ method, path }: TransportRequest): string {
  return `${method} ${path}`;
}

async function* upTo(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of chunks) {
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/**
 * Returns the path of a collection or of one object.
 * @throws KubeError if a required namespace is missing, or if a namespace is given for a cluster-scoped resource
 */
function pathOf(resource: KubeResource, namespace?: string, name?: string, subresource?: string): string {
  const { group, version, plural } = resource;
  if (resource.namespaced ? name !== undefined && !namespace : namespace) {
    const rule = resource.namespaced ? "needs a namespace" : "has no namespaces";
    throw new KubeError(0, "InvalidKey", `${plural}/${name ?? ""} ${rule}`);
  }
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace ? ["namespaces", namespace] : [];
  const segments = [
    ...scope,
    plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource ? [subresource] : []),
  ];
  return `${root}/${segments.map(encodeURIComponent).join("/")}`;
}

function selectorQuery({ labelSelector, fieldSelector }: Selection) {
  return { labelSelector, fieldSelector };
}

function queryOf(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  return `?${query}`;
}

/**
 * Returns the type of a list item. If an item has no type, or the type of partial metadata, the result is the type of the
 * resource.
 */
function typeOf(resource: KubeResource, { apiVersion, kind }: Readonly<Record<string, unknown>>) {
  const own = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return kind === "PartialObjectMetadata"
    ? own
    : { apiVersion: apiVersion ?? own.apiVersion, kind: kind ?? own.kind };
}

/** Adds `apiVersion` and `kind` to list items that lack them. */
function pageOf<T extends KubeObject>(
  resource: KubeResource<T>,
  { value: list, items: found }: ParsedResponse,
): KubePage<T> {
  const metadata = valueAt(list, "metadata");
  if (!isPlainObject(list) || !isPlainObject(metadata)) {
    throw new KubeError(0, "InvalidAnswer", `listing ${resource.plural} returned an invalid list`);
  }
  const items = found.flatMap((item: unknown) => {
    const object = isPlainObject(item) ? { ...item, ...typeOf(resource, item) } : item;
    return isKubeObject(object) ? [object as T] : [];
  });
  const next = metadata.continue;
  return {
    kind: typeof list.kind === "string" ? list.kind : `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    items,
    resourceVersion: String(metadata.resourceVersion ?? ""),
    continue: typeof next === "string" && next !== "" ? next : undefined,
  };
}

/** Returns the object that `ensure` compares. The status is removed. A Secret's `stringData` is encoded into `data`. */
function desired(object: KubeObject): KubeObject {
  const { status: _, stringData, ...rest } = object;
  if (!isPlainObject(stringData)) return rest;
  const encoded = Object.entries(stringData).map(([name, text]) => [
    name,
    Buffer.from(String(text)).toString("base64"),
  ]);
  const data = objectAt(rest.data);
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } };
}
