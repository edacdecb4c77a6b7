import { singleton } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { editCustomerYaml } from "../../customer-yaml/edit-customer-yaml.ts";
import { editFailure } from "../../customer-yaml/edit-failure.ts";
import { InvalidYaml } from "../../customer-yaml/edits/edit-yaml.ts";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";

const { secrets } = resources;
const key = { namespace: "openshift-monitoring", name: "alertmanager-main" };
const member = "alertmanager.yaml";

/** Prevents alerts about missing Alertmanager receivers in clusters for which the customer configured no receivers. */
export const alertWebhook: RegisteredController = {
  name: "Alertwebhook",
  flag: "aro.alertwebhook.enabled",
  flags: { "aro.alertwebhook.enabled": switchedOn },
  documentation: {
    purpose:
      "Sets the operator's health endpoint as the only webhook of Alertmanager's receivers `null` and `Default`, in Secret `openshift-monitoring/alertmanager-main`.",
    improvement:
      "Reacts to changes of the flag. Preserves comments, order and value notation. Becomes Degraded if the Secret cannot be parsed. The message does not contain the Secret's content.",
  },
  watches: [
    watchFor(secrets, singleton, {
      selection: { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` },
      where: named(key.name),
    }),
  ],
  permissions: [
    may([...reading, "patch"], "", ["secrets"], { namespace: key.namespace, resourceNames: [key.name] }),
  ],
  async reconcile({ objects, signal }) {
    const live = await objects.find(secrets, key);
    const encoded = stringAt(live, "data", member);
    if (!live || encoded === undefined) return done;
    const text = await corrected(encoded, signal);
    await objects.correct(secrets, live, { data: { [member]: text } });
    return done;
  },
};

/** @throws TerminalError for invalid content, which only a change of the Secret can fix */
async function corrected(encoded: string, signal: AbortSignal): Promise<string> {
  try {
    const text = decoded(encoded);
    const edited = await editCustomerYaml("withWebhooks", text, signal);
    return edited === text ? encoded : Buffer.from(edited).toString("base64");
  } catch (error) {
    signal.throwIfAborted();
    throw editFailure(`${member} in Secret ${key.namespace}/${key.name}`, error);
  }
}

function decoded(encoded: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    throw new InvalidYaml("is not UTF-8");
  }
}
