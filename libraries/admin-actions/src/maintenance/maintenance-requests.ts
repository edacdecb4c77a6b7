import { maintenanceTaskGraphs } from "@keelson/cluster";
import { parseManifestRequest } from "@keelson/model";
import { type ActionParameter, requiredJson } from "../actions/action-parameter.ts";
import type { RequestableAction } from "../actions/admin-action.ts";
import { checkDocumentId } from "../context/object-rules.ts";

/** Names of this release's maintenance tasks by task ID. */
export const maintenanceTaskNames: ReadonlyMap<string, string> = new Map(
  [...maintenanceTaskGraphs].map(([id, { name }]) => [id, name]),
);

const manifest: ActionParameter = {
  name: "the manifest",
  in: "body",
  type: "object",
  read(input) {
    const body = requiredJson(input);
    parseManifestRequest(body, new Date());
    return body;
  },
};

const manifestId: ActionParameter<string> = {
  name: "manifestId",
  in: "path",
  type: "string",
  required: true,
  read(input) {
    const id = input.query("manifestId") ?? "";
    checkDocumentId("manifestId", id);
    return id;
  },
};

/** Plans a maintenance task for a cluster. */
export const planMaintenance: RequestableAction = {
  method: "PUT",
  suffix: "maintenancemanifests",
  role: "operator",
  summary: "plan maintenance",
  remarks: "",
  mutating: true,
  parameters: [manifest],
  read: (input) => ({ manifest: manifest.read(input) }),
};

/** Cancels a maintenance task that has not started. */
export const cancelMaintenance: RequestableAction = {
  method: "POST",
  suffix: "maintenancemanifests/:manifestId/cancel",
  role: "operator",
  summary: "cancel maintenance",
  remarks: "",
  allowedInFreeze: true,
  mutating: true,
  parameters: [manifestId],
  read: (input) => ({ manifestId: manifestId.read(input) }),
};
