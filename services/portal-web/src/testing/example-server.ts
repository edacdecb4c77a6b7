import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ActionForms, ClusterSummary, Info, OperationView, PortalEvents } from "@keelson/portal-api";
import { parseClusterPath } from "../api/cluster-path.ts";
import { contentSecurityPolicy, pagesDirectory } from "../index.ts";
import { ExampleActions, exampleForms, exampleOutcome, exampleUpgrade } from "./example-actions.ts";
import { exampleClusters } from "./example-clusters.ts";
import { detailOf } from "./example-detail.ts";
import { exampleCast, exampleInfo, exampleOperations, exampleSessions } from "./example-history.ts";
import { examplePrometheus, exampleStatistics } from "./example-inside.ts";
import { exampleResponse } from "./example-responses.ts";

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

const routesByPart: Readonly<Record<string, string>> = {
  clusteroperators: "clusterOperators",
  nodes: "nodes",
  machines: "machines",
  "machine-sets": "machineSets",
  maintenance: "maintenance",
  actions: "actions",
  recordings: "recordings",
  activity: "activity",
  alerts: "alerts",
  events: "clusterEvents",
  "custom-kinds": "customKinds",
  objects: "objects",
  object: "object",
  "azure-resources": "azureResources",
  "serial-console": "serialConsole",
  "effective-routes": "effectiveRoutes",
};

/** Serves the built pages and example responses over HTTP on the loopback interface. */
export class ExampleServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  #clusters: readonly ClusterSummary[] = exampleClusters;
  #running: OperationView | undefined;
  #sessions = exampleSessions.sessions;
  #failure: { readonly status: number; readonly code: string; readonly message: string } | undefined;
  #info: Info = exampleInfo;
  #forms = exampleForms;
  readonly #actions = new ExampleActions();
  #isSignedIn = true;
  #signIns = 0;

  constructor() {
    this.#server = createServer((request, response) => this.#respond(request, response));
  }

  get url(): string {
    return `http://localhost:${Object(this.#server.address()).port}`;
  }

  /** Number of sign-in requests. */
  get signIns(): number {
    return this.#signIns;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Ends the sign-in. The next request to `/api/login` starts a new sign-in. */
  signOut(): void {
    this.#isSignedIn = false;
    this.dropStreams();
  }

  /** Closes all event connections, like a restart of the portal. */
  dropStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  /** Makes requests about clusters fail with this error. Without an argument, these requests return the examples again. */
  failWith(failure?: { readonly status: number; readonly code: string; readonly message: string }): void {
    this.#failure = failure;
  }

  /** Adds rules to the action forms: an elevation, a change freeze, or the reason for missing actions. */
  govern(rules: Partial<ActionForms>): void {
    this.#forms = { ...exampleForms, ...rules };
  }

  /** Changes the signed-in person. */
  signInAs(change: Partial<Info>): void {
    this.#info = { ...exampleInfo, ...change };
  }

  /** Adds a cluster without sending an event. */
  addCluster(cluster: ClusterSummary): void {
    this.#clusters = [...this.#clusters, cluster];
  }

  /** Adds or replaces a cluster in the list. */
  putCluster(cluster: ClusterSummary): void {
    this.#clusters = [...this.#clusters.filter(({ key }) => key !== cluster.key), cluster].sort(
      (one, other) => (one.key < other.key ? -1 : 1),
    );
    this.#send("cluster", cluster);
  }

  removeCluster({ key, resourceId }: ClusterSummary): void {
    this.#clusters = this.#clusters.filter((each) => each.key !== key);
    this.#send("removed", { resourceId: resourceId.toLowerCase() });
  }

  /** Sets the state of the first cluster's running operation. */
  putOperation(operation: OperationView): void {
    this.#running = operation;
    const { id, kind, state, percentComplete, currentSteps } = operation;
    this.#send("operation", {
      resourceId: this.#clusters[0]?.resourceId.toLowerCase() ?? "",
      id,
      kind,
      state,
      currentSteps,
      ...(percentComplete === undefined ? {} : { percentComplete }),
    });
  }

  #send<Name extends keyof PortalEvents>(name: Name, event: PortalEvents[Name]): void {
    for (const stream of this.#streams) stream.write(eventText(name, event));
  }

  #respond(request: IncomingMessage, response: ServerResponse): ServerResponse {
    const url = new URL(request.url ?? "/", this.url);
    const path = url.pathname.toLowerCase();
    if (path === "/api/login") {
      this.#isSignedIn = true;
      this.#signIns++;
      return response.writeHead(307, { location: url.searchParams.get("redirect_uri") ?? "/" }).end();
    }
    if (path.startsWith("/assets/") || path === "/favicon.svg")
      return serveFile(`.${path}`, url.pathname, response);
    if (!this.#isSignedIn) return sendError(response, 401, "Unauthenticated", "Please sign in.");
    const prometheusApi = path.split("/prometheus/api/v1/")[1];
    if (prometheusApi !== undefined) return servePrometheus(prometheusApi, url, response);
    const cluster = parseClusterPath(path);
    if (request.method !== "GET" && request.headers["x-csrf-token"] !== exampleInfo.csrf)
      return sendError(response, 403, "CsrfTokenInvalid", "The token of this sign-in is missing.");
    if (!path.startsWith("/api/") && (!path.includes(".") || cluster))
      return serveFile("./index.html", "/index.html", response);
    if (path === "/api/logout") return response.writeHead(303, { location: "/" }).end();
    if (path === "/api/sign-outs") {
      this.#sessions = [];
      return response.writeHead(204).end();
    }
    if (path.startsWith("/api/sessions/")) {
      this.#sessions = this.#sessions.filter(({ id }) => !path.endsWith(`/${id}`));
      return response.writeHead(204).end();
    }
    if (path === "/api/sessions") return sendJson(response, { sessions: this.#sessions });
    if (path === "/api/events") return this.#stream(response);
    if (path === "/api/clusters") return sendJson(response, this.#clusters);
    if (path === "/api/info") return sendJson(response, this.#info);
    if (path === "/api/action-forms") return sendJson(response, this.#forms);
    if (path === "/api/step-durations") return sendJson(response, exampleResponse("stepDurations"));
    if (path === "/api/regions") return sendJson(response, exampleResponse("regions"));
    if (path.endsWith("/ssh/new"))
      return this.#info.elevated ? sendJson(response, exampleResponse("newSsh")) : sendRefusal(response);
    if (path.endsWith("/kubeconfig/new")) {
      response.setHeader("content-disposition", 'attachment; filename="demo-elevated.kubeconfig"');
      return sendJson(response, { apiVersion: "v1", kind: "Config" });
    }
    const [, part = "", id = "", step = ""] =
      /\/(action-requests|admin-reads)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
    if (part !== "") {
      void readBody(request).then((body) => {
        if (part === "admin-reads")
          return sendJson(response, Object(body).action === "GET upgrade" ? exampleUpgrade : exampleOutcome);
        if (id !== "") return sendJson(response, this.#respondToAction(id, step, body));
        if (request.method === "POST") return sendJson(response, this.#actions.create(Object(body)));
        return sendJson(response, { requests: this.#actions.requests });
      });
      return response;
    }
    return this.#respondWithPart(path, url, response);
  }

  /** Number of actions that were run. */
  get runs(): number {
    return this.#actions.runs;
  }

  #respondToAction(id: string, step: string, body: unknown): unknown {
    if (step === "run") return this.#actions.run(id);
    if (step === "confirmation") return this.#actions.confirm(id);
    if (step === "decision") return this.#actions.decide(id, Object(body).approve === true);
    return this.#actions.find(id);
  }

  #respondWithPart(path: string, url: URL, response: ServerResponse): ServerResponse {
    const [, , subscription, resourceGroup, name, part = "", last = ""] = path.split("/");
    const summary = this.#clusters.find(
      (each) =>
        each.name === name && each.resourceGroup === resourceGroup && each.subscription === subscription,
    );
    if (!summary) return sendError(response, 404, "NotFound", "There is no such cluster.");
    if (part === "") return sendJson(response, detailOf(summary));
    if (this.#failure)
      return sendError(response, this.#failure.status, this.#failure.code, this.#failure.message);
    if (part === "operations" && last !== "") return sendJson(response, exampleResponse("stepLogs"));
    if (part === "operations")
      return sendJson(response, {
        operations: [...(this.#running ? [this.#running] : []), ...exampleOperations],
      });
    if (part === "sessions") return sendJson(response, { sessions: this.#sessions });
    if (part === "statistics") {
      const minutes = /^(\d+)([mh])$/.exec(url.searchParams.get("duration") ?? "");
      const lengthMs = Number(minutes?.[1] ?? 60) * (minutes?.[2] === "h" ? 3_600_000 : 60_000);
      const end = Date.parse(url.searchParams.get("endtime") ?? "");
      return sendJson(response, exampleStatistics(last, end, lengthMs));
    }
    if (part === "recordings" && last !== "") {
      response.setHeader("content-type", "application/x-asciicast");
      return response.end(exampleCast);
    }
    if (part === "pods") return servePods(path, response);
    if (part === "serial-console-file") {
      response.setHeader("content-type", "text/plain; charset=utf-8");
      response.setHeader("content-disposition", 'attachment; filename="console.log"');
      return response.end("booting\n");
    }
    const route = routesByPart[part];
    if (!route) return sendError(response, 404, "NotFound", "There is no such page.");
    return sendJson(response, exampleResponse(route));
  }

  #stream(response: ServerResponse): ServerResponse {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(eventText("resync", {}));
    this.#streams.add(response);
    return response.once("close", () => this.#streams.delete(response));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const text = Buffer.concat(await request.toArray()).toString();
  return text === "" ? undefined : JSON.parse(text);
}

const eventText = (name: string, event: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`;

function servePods(path: string, response: ServerResponse): ServerResponse {
  if (path.endsWith("/log-stream")) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(eventText("lines", ["first", "<script>second</script>"]));
    response.write(eventText("end", { reason: "The log has ended." }));
    return response;
  }
  if (path.endsWith("/log-file")) {
    response.setHeader("content-type", "text/plain; charset=utf-8");
    response.setHeader("content-disposition", 'attachment; filename="etcd.log"');
    return response.end("first\n");
  }
  return sendJson(response, exampleResponse(path.endsWith("/log") ? "containerLog" : "pods"));
}

function servePrometheus(api: string, url: URL, response: ServerResponse): ServerResponse {
  if (api.startsWith("label/")) return sendJson(response, { status: "success", data: ["up", "ALERTS"] });
  if (url.searchParams.get("query") === "up{") {
    response.statusCode = 400;
    const error = 'invalid parameter "query": 1:4: parse error: unexpected end of input inside braces';
    return sendJson(response, { status: "error", errorType: "bad_data", error });
  }
  return sendJson(response, { status: "success", data: examplePrometheus(api, url.searchParams) });
}

function serveFile(file: string, name: string, response: ServerResponse): ServerResponse {
  const content = readFileSync(new URL(file, pagesDirectory));
  response.writeHead(200, {
    "content-type": types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    "content-security-policy": contentSecurityPolicy,
    "x-content-type-options": "nosniff",
  });
  return response.end(content);
}

function sendJson(response: ServerResponse, answer: unknown): ServerResponse {
  response.setHeader("content-type", "application/json");
  return response.end(JSON.stringify(answer, undefined, 4));
}

/** Sends the response of the portal to a request for SSH without the role `elevated`. The response has no error code. */
function sendRefusal(response: ServerResponse): ServerResponse {
  response.statusCode = 403;
  return sendJson(response, { error: "Elevated access is required." });
}

function sendError(response: ServerResponse, status: number, code: string, message: string): ServerResponse {
  response.statusCode = status;
  return sendJson(response, { error: { code, message } });
}
