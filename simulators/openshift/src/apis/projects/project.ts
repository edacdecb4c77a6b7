import type { AggregatedResource, KubeObject, ResourceCall, WatchEvent } from "@keelson/apiserver";
import { objectAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { ageColumn, textColumn } from "../columns.ts";
import { failures } from "../failures.ts";

export const projectGroup = "project.openshift.io";
export const namespaces = { group: "", version: "v1", resource: "namespaces" };

/** Projects: the namespaces visible to the caller. */
export function projectResource({ client }: ApiContext): AggregatedResource {
  return {
    group: projectGroup,
    version: "v1",
    kind: "Project",
    plural: "projects",
    namespaced: false,
    standsForNamespace: true,
    columns: [
      textColumn("Display Name", ".metadata.annotations.openshift\\.io/display-name"),
      textColumn("Status", ".status.phase"),
      ageColumn,
    ],
    handlers: {
      get: async ({ name }) => projectOf(await client.get(namespaces, { name })),
      list: async (call) => {
        const { items, resourceVersion } = await client.list(namespaces);
        return { items: items.filter((each) => maySee(call, each)).map(projectOf), resourceVersion };
      },
      watch: (call, resourceVersion, signal) =>
        visible(
          call,
          client.watch(namespaces, resourceVersion === undefined ? {} : { resourceVersion }, signal),
        ),
      create: async (call, project) => projectOf(await call.client.create(namespaces, namespaceOf(project))),
      update: async (call, project) => {
        const current = await client.get(namespaces, { name: call.name });
        const { annotations = {}, resourceVersion } = project.metadata;
        requireUnchanged(project, current);
        return projectOf(
          await call.client.update(namespaces, {
            ...current,
            metadata: { ...current.metadata, annotations, ...(resourceVersion ? { resourceVersion } : {}) },
          }),
        );
      },
      delete: async (call) => {
        await call.client.delete(namespaces, { name: call.name });
        return undefined;
      },
    },
  };
}

/** Annotations that project administrators may change. */
const ownAnnotations: ReadonlySet<string> = new Set([
  "openshift.io/description",
  "openshift.io/display-name",
]);

/**
 * Rejects each change of a label, and changes of annotations except those in `ownAnnotations`. Labels and annotations can affect
 * pod security.
 * Source: openshift/openshift-apiserver `pkg/project/apis/project/validation/validation.go`.
 * @throws StatusError 422
 */
function requireUnchanged({ metadata }: KubeObject, { metadata: current }: KubeObject): void {
  for (const field of ["labels", "annotations"] as const) {
    const [wanted, before] = [metadata[field] ?? {}, current[field] ?? {}];
    const changed = Object.keys({ ...wanted, ...before }).find(
      (key) => wanted[key] !== before[key] && !(field === "annotations" && ownAnnotations.has(key)),
    );
    if (changed === undefined) continue;
    throw failures.invalid(
      "Project",
      projectGroup,
      current.name,
      `metadata.${field}[${changed}]`,
      `Invalid value: ${JSON.stringify(wanted[changed] ?? "")}: field is immutable, try updating the namespace`,
    );
  }
}

/** Converts a namespace to a project. */
export function projectOf(namespace: KubeObject): KubeObject {
  return {
    kind: "Project",
    apiVersion: `${projectGroup}/v1`,
    metadata: namespace.metadata,
    spec: objectAt(namespace, "spec"),
    status: objectAt(namespace, "status"),
  };
}

function namespaceOf({ metadata }: KubeObject): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata };
}

function maySee({ allows }: ResourceCall, { metadata: { name } }: KubeObject): boolean {
  return allows({ verb: "get", group: "", resource: "namespaces", namespace: name, name });
}

async function* visible(call: ResourceCall, events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
  for await (const event of events) {
    if (event.type === "BOOKMARK") yield event;
    else if (maySee(call, event.object)) yield { ...event, object: projectOf(event.object) };
  }
}
