import { singleton } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { named, TerminalError, watchFor } from "@keelson/controller";
import { resources, textAt } from "@keelson/kube";
import { type AroController, done } from "../../runtime/aro-controller.ts";
import { withWebhooks } from "./receivers.ts";

const { secrets } = resources;
const key = { namespace: "openshift-monitoring", name: "alertmanager-main" };
const member = "alertmanager.yaml";

/** Keeps clusters whose customers have set up no receivers for alerts from being warned about that. */
export const alertWebhook: AroController = {
  name: "Alertwebhook",
  flag: "aro.alertwebhook.enabled",
  watches: [
    watchFor(secrets, singleton, {
      selection: { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` },
      where: named(key.name),
    }),
  ],
  permissions: [
    {
      namespace: key.namespace,
      apiGroups: [""],
      resources: ["secrets"],
      resourceNames: [key.name],
      verbs: ["get", "list", "watch", "patch"],
    },
  ],
  async reconcile({ objects }) {
    const live = await objects.find(secrets, key);
    const encoded = textAt(live, "data", member);
    if (!live || encoded === undefined) return done;
    const text = corrected(encoded);
    await objects.correct(secrets, live, { data: { [member]: text } });
    return done;
  },
};

/** @throws TerminalError for what only a change of the Secret can mend */
function corrected(encoded: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
    const edited = withWebhooks(text);
    return edited === text ? encoded : Buffer.from(edited).toString("base64");
  } catch (error) {
    throw new TerminalError(`${member} in Secret ${key.namespace}/${key.name} ${messageOf(error)}`);
  }
}
