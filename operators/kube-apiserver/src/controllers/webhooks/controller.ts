import { type Controller, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import {
  inputWatches,
  kubeApiServerController,
  type OperatorContext,
} from "../../runtime/operator-context.ts";
import { virtualResourceCondition } from "./virtual-resources.ts";
import {
  admissionServices,
  conversionOnly,
  conversionServices,
  type DialWebhook,
  webhookCondition,
} from "./webhook-services.ts";

const {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  customResourceDefinitions,
  services,
} = resources;
const types = [
  "MutatingAdmissionWebhookConfigurationError",
  "ValidatingAdmissionWebhookConfigurationError",
  "CRDConversionWebhookConfigurationError",
  "VirtualResourceAdmissionError",
] as const;

/** Reports webhooks that could block the API servers, because they do not respond or match too many resources. */
export function webhookSupportability(dial: DialWebhook): Controller<OperatorContext> {
  return kubeApiServerController({
    name: "WebhookSupportabilityController",
    conditions: types,
    watches: [
      ...inputWatches(
        [mutatingWebhookConfigurations, validatingWebhookConfigurations, services].map((resource) => ({
          resource,
        })),
      ),
      watchFor(customResourceDefinitions, operatorKey, { strip: conversionOnly }),
    ],
    resyncMs: 600_000,
    async reconcile({ parts: { cache }, signal }) {
      const list = (resource: typeof services) => cache.informer(resource).list();
      const exists = ({ namespace, service }: { namespace: string; service: string }) =>
        cache.known(services, { namespace, name: service })?.object !== undefined;
      const mutating = list(mutatingWebhookConfigurations);
      const validating = list(validatingWebhookConfigurations);
      const found = [
        mutating.flatMap(admissionServices),
        validating.flatMap(admissionServices),
        cache
          .informer(customResourceDefinitions, { strip: conversionOnly })
          .list()
          .flatMap(conversionServices),
      ];
      const conditions = await Promise.all(
        found.map((each, index) => webhookCondition(types[index] ?? "", each, exists, dial, signal)),
      );
      return { conditions: [...conditions, virtualResourceCondition(mutating, validating)] };
    },
  });
}
