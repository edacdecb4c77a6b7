import { isName } from "@keelson/admin-actions";
import { type Clock, withTimeout } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { ContainerLog } from "@keelson/portal-api";
import { logFailure, portalErrors } from "../errors/portal-errors.ts";
import {
  type AuditedRead,
  clusterPath,
  type PortalContext,
  type PortalResponse,
  type PortalRoute,
} from "../http/portal-route.ts";
import { type LoggedContainer, maxLogLines, readContainerLog } from "../inside/container-log.ts";
import { readEvents } from "../inside/events.ts";
import { LogStreams } from "../inside/log-streams.ts";
import { readCustomKinds, readObject, readObjects } from "../inside/objects.ts";
import { readPods } from "../inside/pods.ts";
import { visibleNamespaces } from "../inside/visible-namespaces.ts";
import type { Elevations } from "../sign-in/elevations.ts";
import type { SignOuts } from "../sign-in/sign-outs.ts";
import { printableValue } from "../text/printable.ts";
import { type ClusterDataDeps, readMs, withCluster } from "./cluster-data.ts";

export interface InsideDeps extends ClusterDataDeps {
  readonly signOuts: SignOuts;
  readonly elevations: Elevations;
  readonly clock: Clock;
}

const defaultLines = 1_000;
const containerPath = `${clusterPath.data}/pods/{namespace}/{pod}/{container}`;

/**
 * Routes for objects and logs of a cluster. The routes read with the SREs' user. For each read, the audit contains the names of
 * the objects.
 */
export function insideRoutes(deps: InsideDeps): readonly PortalRoute[] {
  const streams = new LogStreams(deps);
  const route = (
    path: string,
    handle: (context: PortalContext, kube: KubeClient) => Promise<PortalResponse>,
  ): PortalRoute => ({
    method: "GET",
    path,
    carriesClusterData: true,
    handle: (context) => withCluster(deps, context, (kube) => handle(context, kube)),
  });
  const read = (
    path: string,
    reads: (kube: KubeClient, context: PortalContext, signal: AbortSignal) => Promise<unknown>,
  ) =>
    route(`${clusterPath.data}/${path}`, async (context, kube) => ({
      status: 200,
      json: await reads(kube, context, withTimeout(context.signal, readMs)),
    }));
  return [
    read("events", (kube, context, signal) => {
      auditRead(context, { verb: "list", resource: "events" });
      return printed(readEvents(kube, visibleNamespaces(context.login().role), signal));
    }),
    read("pods", (kube, context, signal) => {
      auditRead(context, { verb: "list", resource: "pods" });
      return printed(readPods(kube, visibleNamespaces(context.login().role), signal));
    }),
    read("custom-kinds", (kube, context, signal) => {
      auditRead(context, { verb: "list", resource: "customresourcedefinitions" });
      return printed(readCustomKinds(kube, signal));
    }),
    read("objects", (kube, context, signal) => {
      const query = objectQuery(context);
      auditRead(context, { verb: "list", resource: query.kind, namespace: query.namespace });
      return printed(readObjects(kube, query, signal));
    }),
    read("object", (kube, context, signal) => {
      const query = objectQuery(context);
      const name = context.url.searchParams.get("name") ?? "";
      auditRead(context, { verb: "get", resource: query.kind, namespace: query.namespace, name });
      return readObject(kube, { ...query, name }, signal);
    }),
    route(`${containerPath}/log`, async (context, kube) => {
      const container = loggedContainer(context, "get");
      const signal = withTimeout(context.signal, readMs);
      return { status: 200, json: await readLog(kube, container, linesOf(context), signal) };
    }),
    route(`${containerPath}/log-file`, async (context, kube) => {
      const container = loggedContainer(context, "get");
      const signal = withTimeout(context.signal, readMs);
      const { lines } = await readLog(kube, container, maxLogLines, signal);
      const file = `${container.pod}-${container.container}.log`.replace(/[^a-z0-9.-]/g, "_");
      return {
        status: 200,
        text: lines.map((line) => `${line}\n`).join(""),
        headers: {
          "content-type": "text/plain; charset=utf-8",
          "content-disposition": `attachment; filename="${file}"`,
        },
      };
    }),
    route(`${containerPath}/log-stream`, async (context, kube) =>
      streams.open(context, kube, loggedContainer(context, "watch"), linesOf(context)),
    ),
  ];
}

/**
 * Makes control characters in the strings of a response visible. The route for one object does not use this function, because the
 * object's YAML escapes them.
 */
async function printed(response: Promise<unknown>): Promise<unknown> {
  return printableValue(await response);
}

function readLog(...request: Parameters<typeof readContainerLog>): Promise<ContainerLog> {
  return readContainerLog(...request).catch((error: unknown) => {
    throw logFailure(error);
  });
}

/** Adds the cluster objects that the request reads to the request's audit line. */
function auditRead({ audit }: PortalContext, request: AuditedRead): void {
  audit({ request });
}

function objectQuery({ url, login }: PortalContext) {
  const { role } = login();
  return {
    kind: url.searchParams.get("kind") ?? "",
    namespace: url.searchParams.get("namespace") ?? "",
    unrestricted: role === "elevated",
    isVisible: visibleNamespaces(role),
  };
}

/**
 * Returns the container for which a log is requested.
 * @throws BadRequest; Forbidden for a namespace that the person may not see
 */
function loggedContainer(context: PortalContext, verb: "get" | "watch"): LoggedContainer {
  const { parameter, login } = context;
  const [namespace, pod, container] = [parameter("namespace"), parameter("pod"), parameter("container")];
  auditRead(context, { verb, resource: "pods/log", namespace, name: pod, container });
  for (const name of [namespace, pod, container])
    if (!isName(name)) throw portalErrors.BadRequest(`'${name}' is no name of an object.`);
  if (!visibleNamespaces(login().role)(namespace))
    throw portalErrors.Forbidden(`Elevated access is required for the namespace '${namespace}'.`);
  return { namespace, pod, container };
}

/** @throws BadRequest */
function linesOf({ url }: PortalContext): number {
  const text = url.searchParams.get("lines") ?? `${defaultLines}`;
  const lines = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (lines >= 1 && lines <= maxLogLines) return lines;
  throw portalErrors.BadRequest(`'lines' must be a number from 1 to ${maxLogLines}.`);
}
