import { messageOf } from "@keelson/base";
import { done } from "@keelson/controller";
import { type ObjectKey, resources } from "@keelson/kube";
import { ensureData } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import { missingConfig } from "../../config/required-config.ts";
import { etcdEndpoints } from "../../observers/etcd-endpoints.ts";
import { clusterInput, objectInput, singleton } from "../../observers/inputs.ts";
import { encryptionSecret } from "../../operand/kms-plugins.ts";
import type { OperatorSpec } from "../../operand/operand-settings.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";
import { requiredEtcdAddresses } from "./etcd-members.ts";
import { recoveryTokenProblem } from "./recovery-token.ts";
import { trustedCaBundle, wantedConfigMaps } from "./wanted-objects.ts";

const recoveryClient = { namespace: namespaces.target, name: "localhost-recovery-client" };
const recoveryToken = { namespace: namespaces.target, name: "localhost-recovery-client-token" };

const inputs = [
  ...[namespaces.config, namespaces.managed, namespaces.operator, namespaces.target].map((namespace) => ({
    resource: resources.configMaps,
    selection: { namespace },
  })),
  { resource: resources.secrets, selection: { namespace: namespaces.target } },
  objectInput(resources.serviceAccounts, recoveryClient),
  objectInput(resources.configMaps, etcdEndpoints),
  clusterInput(resources.infrastructures),
  { resource: resources.namespaces, selection: { fieldSelector: `metadata.name=${namespaces.etcd}` } },
];

/** Writes the sources of the next revision: the configuration, the pod manifest and the CA bundles of the API servers. */
export const targetConfig = kubeApiServerController({
  name: "TargetConfigController",
  degraded: { type: "TargetConfigControllerDegraded", failed: "SynchronizationError" },
  watches: inputWatches(inputs),
  resyncMs: 60_000,
  async reconcile({ parts, configuration, objects, signal }) {
    const { cache, clock, events, images, build } = parts;
    // The CRD validates the types of these fields.
    const spec = (configuration.spec ?? {}) as OperatorSpec & { readonly forceRedeploymentReason?: unknown };
    const missing = missingConfig({
      observed: spec.observedConfig,
      etcdAddresses: () => requiredEtcdAddresses(cache),
    });
    if (missing !== undefined) {
      events.report({ type: "Warning", reason: "ConfigMissing", message: missing });
      throw new Error(missing);
    }
    const find = (key: ObjectKey) => cache.known(resources.configMaps, key)?.object;
    const encryption = cache.known(resources.secrets, encryptionSecret)?.object;
    const infrastructure = cache.known(resources.infrastructures, singleton)?.object;
    const failures: string[] = [];
    const attempt = async (subject: string, make: () => Promise<unknown>) => {
      try {
        await make();
      } catch (error) {
        if (signal.aborted) throw error;
        failures.push(`"${subject}": ${messageOf(error)}`);
      }
    };
    for (const [name, wanted] of Object.entries(wantedConfigMaps))
      await attempt(`configmap/${name}`, () =>
        ensureData(
          objects,
          resources.configMaps,
          wanted({ spec, images, build, now: clock.now(), infrastructure, find, encryption }),
        ),
      );
    await attempt("configmap/trusted-ca-bundle", () => objects.ensure(resources.configMaps, trustedCaBundle));
    const problem = recoveryTokenProblem(
      cache.known(resources.serviceAccounts, recoveryClient)?.object,
      cache.known(resources.secrets, recoveryToken)?.object,
    );
    if (problem !== undefined) failures.push(`"serviceaccount/localhost-recovery-client": ${problem}`);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    return done;
  },
});
