import type {
  ActionForm,
  ActionForms,
  ActionOutcome,
  ActionRequestView,
  NewActionRequest,
} from "@keelson/portal-api";

const form = (action: string, summary: string, more: Partial<ActionForm> = {}): ActionForm => ({
  ...{ action, summary, remarks: "", role: "operator", changes: true, destructive: false, allowed: true },
  ...{ needsReason: false, needsApproval: false, parameters: [] },
  ...more,
});
const vmName = { name: "vmName", in: "query", type: "string", required: true } as const;

export const exampleForms: ActionForms = {
  adminApi: "https://localhost:8443",
  adminScope: "api://keelson-admin/.default",
  forms: [
    form("GET serialconsole", "read a machine's serial console", {
      ...{ role: "reader", changes: false, parameters: [vmName] },
    }),
    form("POST startvm", "start a machine", { remarks: "waits until it is done", parameters: [vmName] }),
    form("POST stopvm", "stop a machine", {
      destructive: true,
      parameters: [
        vmName,
        { name: "deallocateVM", in: "query", type: "boolean", required: false, default: false },
      ],
    }),
    form("POST resize", "give a master another size", {
      ...{ role: "elevated", destructive: true, needsReason: true },
      parameters: [vmName, { ...vmName, name: "vmSize", allowed: ["Standard_D8s_v3", "Standard_D16s_v3"] }],
    }),
    form("POST exec", "run a command in a container", {
      ...{ role: "elevated", destructive: true },
      parameters: [
        {
          ...{ name: "namespace, podName, container, command", in: "body", type: "object", required: true },
          fields: ["namespace", "podName", "container", "command"],
        },
      ],
    }),
    form("POST runjob", "run a job", {
      ...{ role: "elevated", destructive: true },
      parameters: [{ name: "a Job", in: "body", type: "object", required: true }],
    }),
    form("POST etcdrecovery", "replace a failed member of etcd", { role: "elevated", allowed: false }),
  ],
};

const at = "2026-11-27T01:00:00Z";

export const exampleRequest: ActionRequestView = {
  id: "5d8efcd8-0000-4000-8000-000000000001",
  action: "POST stopvm",
  parameters: { vmName: "demo-x7k2p-master-0" },
  state: "AwaitingApproval",
  requestedBy: "ada@example.com",
  isOwn: false,
  mayDecide: true,
  reason: "incident 7",
  createdAt: at,
  expiresAt: "2026-11-27T02:00:00Z",
};

/** Console output in the form that a hostile cluster could return. */
export const exampleOutcome: ActionOutcome = {
  state: "Succeeded",
  content: "Red Hat Enterprise Linux CoreOS\n<script>alert(1)</script>\u001b[2J",
  truncated: false,
};

export const exampleUpgrade: ActionOutcome = {
  state: "Succeeded",
  truncated: false,
  content: JSON.stringify({
    ...{ version: "4.18.26", desired: "4.18.26", channel: "stable-4.19", progressing: false, message: "" },
    available: ["4.19.24", "4.18.27"],
    history: [{ version: "4.18.26", state: "Completed", startedAt: "2026-11-01T00:00:00Z", completedAt: at }],
    checked: "4.19.24",
    checks: [
      { name: "Version", passed: true, message: "" },
      { name: "Nodes", passed: false, message: "Not ready: <b>worker-0</b>" },
    ],
  }),
};

/** Action requests in the format that the portal returns. One of them waits for an approval. */
export class ExampleActions {
  #requests: readonly ActionRequestView[] = [exampleRequest];
  #runs = 0;

  get requests(): readonly ActionRequestView[] {
    return this.#requests;
  }

  /** Number of actions that were run. */
  get runs(): number {
    return this.#runs;
  }

  create({ action, query, reason }: NewActionRequest): ActionRequestView {
    const request: ActionRequestView = {
      ...{ id: `request-${this.#requests.length}`, action, parameters: query, state: "Ready" },
      ...{ requestedBy: "sre@example.com", isOwn: true, mayDecide: false, createdAt: at, expiresAt: at },
      ...(reason === undefined ? {} : { reason }),
    };
    this.#put(request);
    return this.confirm(request.id);
  }

  find(id: string): ActionRequestView {
    const found = this.#requests.find((each) => each.id === id);
    if (!found) throw new Error(`no request ${id}`);
    const isRunning = found.state === "Submitted";
    // The next read of the request reports that the action has ended.
    if (isRunning) this.#put({ ...found, state: "Ended", outcome: { ...exampleOutcome, content: "done" } });
    return found;
  }

  decide(id: string, approve: boolean): ActionRequestView {
    const decision = { by: "sre@example.com", at, approved: approve };
    return this.#put({
      ...this.find(id),
      state: approve ? "Ready" : "Rejected",
      mayDecide: false,
      decision,
    });
  }

  confirm(id: string): ActionRequestView {
    const confirmation = { token: "of-this-request", expiresAt: "2026-11-27T01:05:00Z" };
    return { ...this.find(id), confirmation };
  }

  run(id: string): ActionRequestView {
    this.#runs++;
    const outcome = { state: "Running", content: "waits for the machine", truncated: false } as const;
    return this.#put({ ...this.find(id), state: "Submitted", outcome });
  }

  #put(request: ActionRequestView): ActionRequestView {
    this.#requests = [request, ...this.#requests.filter(({ id }) => id !== request.id)];
    return request;
  }
}
