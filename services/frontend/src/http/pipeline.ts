import type { Readable } from "node:stream";
import { asCloudError, CloudError } from "@keelson/arm";
import type { Admission, Authorizer } from "@keelson/auth";
import type { ActiveSpan, Logger, Tracing } from "@keelson/base";
import { declaredLength, type PeerAddress } from "@keelson/http";
import type { Service } from "../service/service.ts";
import { type AdministratorRules, checkAdministrator } from "./administrator.ts";
import type { Audit } from "./audit.ts";
import { sendFailure } from "./failure.ts";
import { type ParameterCheck, type PathParameters, parameterCheck } from "./messages/path-parameters.ts";
import { readBody } from "./messages/request-body.ts";
import { RequestContext } from "./messages/request-context.ts";
import { type Response, sendResponse } from "./messages/response.ts";
import { uncheckedVersion, type VersionRule } from "./messages/version-rule.ts";
import type { WebReply, WebRequest, WebServer } from "./messages/web-server.ts";
import type { RequestDeadline } from "./request-deadline.ts";
import type { RequestCounter } from "./request-limits.ts";
import type { Route } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    context: RequestContext | undefined;
  }
}

export interface PipelineDeps {
  readonly service: Service;
  readonly authorizer: Authorizer;
  readonly administrators: AdministratorRules;
  readonly deadline: RequestDeadline;
  readonly requests: RequestCounter;
  /** Called with the network address of a caller each time that the authorizer accepts a request of the caller. */
  readonly authenticated: (peer: PeerAddress) => void;
  readonly audit: Audit;
  readonly tracing: Tracing;
  readonly logger: Logger;
}

/** Rules for the processing of a request before its route runs. A route adds its own rules. */
interface Stage {
  readonly label: string;
  readonly authorization: "caller" | "none";
  readonly checkParameters: ParameterCheck;
  readonly versions: VersionRule;
  readonly unlimited: boolean;
}

const methods = ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE", "OPTIONS", "TRACE"] as const;

/**
 * Installs the routes on the server. Each request passes these stages in order: identifiers and headers, authorization, request
 * limits, path parameters, API version, body, route.
 */
export function installRoutes(app: WebServer, routes: readonly Route[], deps: PipelineDeps): void {
  const { service, logger } = deps;
  app.decorateRequest("context", undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request: WebRequest, payload: Readable) =>
    readBody(payload, exchangeOf(request).signal, declaredLength(request.headers["content-length"])),
  );
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, logger));

  for (const route of routes) {
    const stage: Stage = {
      label: route.path,
      authorization: route.authorization ?? "caller",
      checkParameters: parameterCheck(route.path, service.location),
      versions: route.versions,
      unlimited: route.unlimited ?? false,
    };
    app.route({
      method: route.method,
      url: route.path,
      onRequest: admission(stage, deps),
      handler: async (request, reply) =>
        sendResponse(reply, await handle(route, exchangeOf(request), service)),
    });
  }
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const allowed = ofPath.map((route) => route.method).sort();
    refuseOtherMethods(app, path, allowed, deps);
  }
  refuseOtherPaths(app, deps);
}

/** Runs the route and records all of its work in the request's trace. */
function handle(route: Route, context: RequestContext, service: Service): Promise<Response> | Response {
  const { span } = context;
  return span ? span.run(() => route.handle(context, service)) : route.handle(context, service);
}

/** Responds with status 405 and no body if the path does not support the method. */
function refuseOtherMethods(
  app: WebServer,
  path: string,
  allowed: readonly Route["method"][],
  deps: PipelineDeps,
): void {
  const response: Response = { status: 405, headers: { allow: allowed.join(", ") } };
  app.route({
    method: methods.filter((method) => !allowed.some((each) => each === method)),
    url: path,
    onRequest: [admission(unrouted(path), deps), (_, reply) => void sendResponse(reply, response)],
    handler: () => undefined,
  });
}

/** Responds with status 404 to unknown paths, if the caller is authorized. */
function refuseOtherPaths(app: WebServer, deps: PipelineDeps): void {
  const admit = admission(unrouted("unmatched"), deps);
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    admit(request, reply, (error) =>
      done(error ?? new CloudError("NotFound", "The requested path could not be found.")),
    );
  });
}

function unrouted(label: string): Stage {
  return {
    label,
    authorization: "caller",
    checkParameters: () => undefined,
    versions: uncheckedVersion,
    unlimited: false,
  };
}

/** Returns the hook that runs all checks before the body is read. */
function admission(stage: Stage, deps: PipelineDeps) {
  const { service, authorizer, administrators, deadline, requests, authenticated, audit, tracing } = deps;
  return (request: WebRequest, reply: WebReply, done: (error?: Error) => void): void => {
    const parameters: PathParameters = request.params ?? {};
    const signal = stage.unlimited ? deadline.lifetime : deadline.signal();
    const context = new RequestContext({ request, parameters, clock: service.clock, signal });
    request.context = context;
    const span = tracing.enabled ? startSpan(tracing, stage, context) : undefined;
    context.traceWith(span);
    reply.raw.once("close", () => {
      const { statusCode } = reply.raw;
      span?.set({ "http.response.status_code": statusCode });
      span?.end(statusCode >= 500 ? new Error(`status ${statusCode}`) : undefined);
      const answered = isAnswered(reply);
      if (!answered) context.left();
      if (stage.authorization === "none") return;
      audit.record(context, stage.label, { status: reply.raw.statusCode, answered });
    });
    reply.header("x-ms-request-id", context.requestId);
    echoClientRequestId(context, reply);
    const proceed = (admission: Admission): void => {
      try {
        if (admission === false) throw new CloudError("Forbidden", "Forbidden.");
        if (stage.authorization !== "none") authenticated(request.raw.socket);
        context.admittedAs(admission);
        checkAdministrator(context, stage.label, admission, administrators);
        if (stage.authorization === "caller") reply.headers(requests.count(context));
        stage.checkParameters(parameters, context.apiVersion);
        context.useVersion(stage.versions(context.apiVersion, parameters));
      } catch (error) {
        done(asCloudError(error));
        return;
      }
      done();
    };
    try {
      const admission = stage.authorization === "none" || authorizer.authorize(context);
      // Certificate checks are synchronous, so their result is not awaited. Only token checks return a promise.
      if (admission instanceof Promise)
        admission.then(proceed, (error: unknown) => done(asCloudError(error)));
      else proceed(admission);
    } catch (error) {
      done(asCloudError(error));
    }
  };
}

/**
 * True if the complete response was sent. False if the caller disconnected first. The event `finish` does not suffice, because a
 * reset HTTP/2 stream also emits it.
 */
function isAnswered({ raw }: WebReply): boolean {
  return raw.writableEnded && raw.writableFinished;
}

/**
 * Starts the trace span of the request. Undefined if requests are not traced. If the caller sends a trace, the span belongs to
 * this trace.
 */
function startSpan(tracing: Tracing, { label }: Stage, context: RequestContext): ActiveSpan | undefined {
  return tracing.start(`${context.method} ${label}`, {
    kind: "server",
    parent: context.header("traceparent"),
    attributes: {
      "http.request.method": context.method,
      "http.route": label,
      "keelson.request.id": context.requestId,
    },
  });
}

function echoClientRequestId(context: RequestContext, reply: WebReply): void {
  if (context.header("x-ms-return-client-request-id")?.toLowerCase() !== "true") return;
  const clientRequestId = context.header("x-ms-client-request-id");
  if (clientRequestId) reply.header("x-ms-client-request-id", clientRequestId);
}

function exchangeOf(request: WebRequest): RequestContext {
  if (!request.context) throw new Error("a request was handled before it was admitted");
  return request.context;
}
