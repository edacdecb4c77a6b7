import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { keyOf } from "../arm/arm-path.ts";
import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import type { Operation } from "../arm/operations.ts";
import { accepted } from "../arm/provisioning.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt } from "../base/json.ts";
import { powerStateOf } from "../compute/power/power-state.ts";
import { stoppedUnits } from "./instance-health.ts";

const kind = "runCommand";
const journalctl = /^\s*(?:sudo\s+)?journalctl\b/;
const curl = /^\s*curl\b.*\bhttps:\/\/localhost(\/\S*)/;
const systemctl = /^\s*(?:sudo\s+)?systemctl\s+(stop|start|restart)\s+(.+)$/;

/**
 * Runs a script on a machine. Supported commands: `systemctl stop`, `start` and `restart`, `journalctl`, and `curl` to the
 * machine itself. A stopped unit makes the machine unhealthy.
 */
export function runCommand(
  instance: ResourceRecord,
  request: ArmRequest,
  subscription: Subscription,
): ArmResponse {
  const { body } = request;
  const commandId = nonEmptyStringAt(body, "commandId");
  if (commandId !== "RunShellScript") {
    throw badRequest("InvalidParameter", `The value of parameter commandId is invalid: ${commandId ?? ""}.`);
  }
  if (powerStateOf(instance) !== "running") {
    throw new ArmError(
      409,
      "OperationNotAllowed",
      "Cannot modify extensions in the VM when the VM is not running.",
    );
  }
  const script = at(body, "script");
  const lines = (Array.isArray(script) ? script : []).filter((each) => typeof each === "string");
  const commands = lines.flatMap((each) => each.split("\n"));
  const log = commands.some((each) => journalctl.test(each))
    ? (subscription.machineHost?.readLog(keyOf(instance.id)) ?? "")
    : "";
  const responses = commands.flatMap((each) => {
    const [, path] = curl.exec(each) ?? [];
    if (path === undefined) return [];
    const { status, body } = subscription.machineHost?.respond?.(keyOf(instance.id), path) ?? {
      status: 200,
      body: "",
    };
    return [`${body}\n${status}`];
  });
  const written = log + responses.join("");
  const units = new Set(stoppedUnits(instance));
  for (const line of commands) {
    const [, verb, names = ""] = systemctl.exec(line) ?? [];
    for (const unit of names.split(/\s+/).filter((name) => name !== "" && !name.startsWith("-"))) {
      if (verb === "stop") units.add(unit);
      else if (verb !== undefined) units.delete(unit);
    }
  }
  if (!commands.some((each) => systemctl.test(each))) return ok({ value: [succeeded(written)] });
  const changed = { ...instance, hidden: { ...instance.hidden, stoppedUnits: [...units] } };
  subscription.resources.put(changed);
  if (!subscription.machineHost) return ok({ value: [succeeded(written)] });
  const operation = subscription.operations.begin(kind, instance.id, 0, request.outcome);
  return accepted(subscription, changed, operation, request);
}

/**
 * Waits until the systemd units that a command stops are no longer running. The command's operation completes only after this
 * wait.
 */
export async function awaitUnits(
  { machineHost, store }: Subscription,
  operation: Operation,
  signal: AbortSignal,
): Promise<undefined> {
  if (operation.kind !== kind) return;
  // The host reads the stopped units from the stored state, so the state must be on disk.
  await store.durable();
  await machineHost?.unitsStopped(keyOf(operation.target), signal);
}

function succeeded(written: string): JsonObject {
  return {
    code: "ProvisioningState/succeeded",
    level: "Info",
    displayStatus: "Provisioning succeeded",
    message: `Enable succeeded: \n[stdout]\n${written}\n[stderr]\n`,
  };
}
