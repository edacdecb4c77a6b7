import type { AggregatedResource, KubeObject, ResourceCall, WatchEvent } from "@keelson/apiserver";
import { recordAt } from "../../runtime/fields.ts";
import type { ApiContext } from "../api-context.ts";
import { ageColumn, textColumn } from "../columns.ts";

export const projectGroup = "project.openshift.io";
export const namespaces = { group: "", version: "v1", resource: "namespaces" };

/** Projects: the namespaces that a user may see. */
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
        return projectOf(
          await call.client.update(namespaces, {
            ...current,
            metadata: { ...current.metadata, ...project.metadata },
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

/** A namespace as a project. */
export function projectOf(namespace: KubeObject): KubeObject {
  return {
    kind: "Project",
    apiVersion: `${projectGroup}/v1`,
    metadata: namespace.metadata,
    spec: recordAt(namespace, "spec"),
    status: recordAt(namespace, "status"),
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
