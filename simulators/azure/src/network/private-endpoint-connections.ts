import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { lastSegment } from "../arm/arm-path.ts";
import { newRecord } from "../arm/new-record.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, withProperties } from "../base/json.ts";

const type = "Microsoft.Network/privateLinkServices/privateEndpointConnections";
const states = ["Approved", "Pending", "Rejected", "Disconnected"];

/** Lowest link ID. IDs of deleted connections are reused, as in Azure. */
const firstLinkIdentifier = 536_870_913;

/**
 * Connections of private endpoints to a private link service: `Pending` -> `Approved` | `Rejected`. The owner of the service
 * approves or rejects them. A connection is created and deleted together with its endpoint. If the owner deletes the connection,
 * the endpoint becomes disconnected.
 */
export const privateEndpointConnections: ResourceType = {
  namespace: "Microsoft.Network",
  type: "privateLinkServices/privateEndpointConnections",
  location: "none",
  etag: "weak",
  names: /^[\w.-]{1,160}$/,
  readOnly: ["privateEndpoint", "linkIdentifier", "privateEndpointLocation"],
  prepare({ id, body, existing }) {
    if (!existing) {
      throw new ArmError(
        404,
        "NotFound",
        `Resource ${id} not found: private endpoints make their connections.`,
      );
    }
    const state = members(at(body, "properties", "privateLinkServiceConnectionState"));
    if (!states.includes(nonEmptyStringAt(state, "status") ?? "")) {
      throw badRequest(
        "InvalidPrivateLinkServiceConnectionState",
        `The status '${nonEmptyStringAt(state, "status") ?? ""}' of ${id} is not one of ${states.join(", ")}.`,
      );
    }
    return {
      body: withProperties(existing.body, {
        privateLinkServiceConnectionState: {
          description: "",
          actionsRequired: "None",
          ...members(at(existing.body, "properties", "privateLinkServiceConnectionState")),
          ...state,
        },
      }),
    };
  },
};

/** Creates a pending connection from an endpoint to a private link service. Does nothing if the connection exists. */
export function ensureConnection(
  subscription: Subscription,
  service: ResourceRecord,
  endpoint: { readonly id: string; readonly location: string; readonly connectionName: string },
  request: { readonly isManual: boolean; readonly message: string },
): void {
  const id = connectionId(service.id, endpoint.connectionName);
  if (subscription.resources.find(id)) return;
  const approvers = at(service.body, "properties", "autoApproval", "subscriptions");
  const isApproved =
    !request.isManual ||
    (Array.isArray(approvers) &&
      approvers.some((each) => each === "*" || each === subscription.subscriptionId));
  const privateLinkServiceConnectionState: JsonObject = isApproved
    ? { status: "Approved", description: "Auto-Approved", actionsRequired: "None" }
    : { status: "Pending", description: request.message, actionsRequired: "None" };
  const properties = {
    privateEndpoint: { id: endpoint.id },
    privateEndpointLocation: endpoint.location,
    linkIdentifier: freeLinkIdentifier(subscription),
    privateLinkServiceConnectionState,
    provisioningState: "Succeeded",
  };
  subscription.resources.put(newRecord(subscription, { id, type, body: { properties } }));
}

export function connectionId(serviceId: string, connectionName: string): string {
  return `${serviceId}/privateEndpointConnections/${connectionName}`;
}

/** Returns the state of an endpoint's connection. An endpoint without a connection is disconnected. */
export function connectionState(
  subscription: Subscription,
  serviceId: string,
  connectionName: string,
): JsonObject {
  const connection = subscription.resources.find(connectionId(serviceId, connectionName));
  return connection
    ? members(at(connection.body, "properties", "privateLinkServiceConnectionState"))
    : {
        status: "Disconnected",
        description: `The connection to ${lastSegment(serviceId)} was removed.`,
        actionsRequired: "None",
      };
}

function freeLinkIdentifier(subscription: Subscription): string {
  const taken = new Set(
    subscription.resources
      .ofType(type)
      .map((each) => nonEmptyStringAt(each.body, "properties", "linkIdentifier")),
  );
  for (let number = firstLinkIdentifier; ; number++) if (!taken.has(String(number))) return String(number);
}
