import type { Duplex, Readable } from "node:stream";
import { valueAt } from "@keelson/base";
import type { Transport, TransportRequest } from "./connections/transport.ts";
import { hiddenDifferences } from "./hidden-differences.ts";
import type {
  ApplyOptions,
  DeleteOptions,
  DryRun,
  JsonPatchStep,
  KubeList,
  ListSelection,
  WatchOptions,
} from "./kube-api.ts";
import type { KubeClient, KubeClientOptions, LogOptions } from "./kube-client.ts";
import { discoverResource } from "./kube-discovery.ts";
import { isMetadataOnly, type KubePage, listFields, metadataList, pageOf } from "./list-page.ts";
import { desired } from "./objects/desired-object.ts";
import { differences } from "./objects/differences.ts";
import { isKubeObject, type KubeObject, type ObjectKey } from "./objects/kube-object.ts";
import { apiVersionOf, type KubeResource, resources } from "./objects/kube-resource.ts";
import { nameOf, pathOf, queryOf, selectorQuery } from "./request-path.ts";
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

/** Maximum number of objects per page. A page with large objects has a few megabytes. */
const pageSize = 250;

/** Idle timeout in ms of a followed log. A container may be silent for a long time. */
const logSilenceMs = 30 * 60_000;

const ownReader: ReaderOptions = { name: "client" };

export class HttpKubeClient implements KubeClient {
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

async function* upTo(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of chunks) {
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}
