import { parseProviderPath } from "../arm/arm-path.ts";
import type { Registry } from "../arm/registry.ts";
import type { Service, Verb } from "./definitions/fault.ts";

/** Properties of a request by which faults select the requests to which they apply. */
export interface Subject {
  readonly service: Service;
  /** Resource type: `Microsoft.Compute/virtualMachines`, or `applications` for Microsoft Graph. */
  readonly type: string;
  readonly verb: Verb;
  /** Request path. */
  readonly id: string;
  readonly clientId: string | undefined;
  /** True if the request can start an asynchronous operation. */
  readonly mayTakeTime: boolean;
}

const verbOf: Readonly<Record<string, Verb>> = {
  GET: "read",
  HEAD: "read",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete",
};

interface Asked {
  readonly method: string;
  readonly segments: readonly string[];
  readonly clientId?: string | undefined;
  /** True if the request contains a client secret. */
  readonly hasSecret?: boolean;
}

/** Returns the properties by which faults select a request to ARM. */
export function armSubject(registry: Registry<never>, { method, segments, clientId }: Asked): Subject {
  const verb = verbOf[method] ?? "action";
  const id = `/${segments.join("/")}`;
  const path = parseProviderPath(segments);
  const asked = { service: "arm", verb, id, clientId } as const;
  if (path) {
    const type = `${path.namespace}/${path.types.join("/")}`;
    const known =
      registry.find(path.namespace, path.types) ?? registry.find(path.namespace, path.types.slice(0, -1));
    const mayTakeTime = verb !== "read" && known !== undefined && known.provisioningState !== false;
    return { ...asked, type, mayTakeTime };
  }
  const [root = "", , kind] = segments.map((each) => each.toLowerCase());
  const isGroup = kind === "resourcegroups";
  const type = isGroup
    ? "Microsoft.Resources/subscriptions/resourceGroups"
    : `Microsoft.Resources/${kind ?? root}`;
  return { ...asked, type, mayTakeTime: isGroup && verb === "delete" };
}

/**
 * Returns the properties by which faults select a request to an Azure service other than ARM. POST counts as a write. Returns
 * `undefined` for endpoints of the simulator itself.
 */
export function subjectOutsideArm({
  method,
  segments,
  clientId,
  hasSecret = false,
}: Asked): Subject | undefined {
  const [first = "", ...rest] = segments;
  const asked = {
    verb: method === "POST" ? ("write" as const) : (verbOf[method] ?? "action"),
    id: `/${segments.join("/")}`,
    clientId,
    mayTakeTime: false,
  };
  switch (first.toLowerCase()) {
    case "v1.0":
    case "beta":
      return { ...asked, service: "graph", type: rest[0] ?? "" };
    case "vaults":
      return { ...asked, service: "vault", type: rest[1] ?? "" };
    case "blobs":
      return { ...asked, service: "storage", type: "blobs" };
    case "identity":
      return { ...asked, service: "identity", type: "credentials" };
    case "metadata":
      return rest[0]?.toLowerCase() === "identity"
        ? { ...asked, service: "identity", type: "token" }
        : undefined;
    default:
      return /\/token$/i.test(asked.id)
        ? { ...asked, service: "entra", type: hasSecret ? "token/secret" : "token", verb: "action" }
        : undefined;
  }
}
