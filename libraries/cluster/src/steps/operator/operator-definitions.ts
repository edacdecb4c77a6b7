import { type KubeResource, resources } from "@keelson/kube";
import { type Manifest, manifest } from "./manifest.ts";

type Schema = Readonly<Record<string, unknown>>;

const open: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const text: Schema = { type: "string" };

/** @see Azure/ARO-RP pkg/operator/apis/preview.aro.openshift.io/v1alpha1 */
const previewFeatureSpec: Schema = {
  type: "object",
  properties: {
    nsgFlowLogs: {
      type: "object",
      required: ["enabled"],
      properties: {
        enabled: { type: "boolean" },
        networkWatcherID: text,
        retentionDays: { type: "integer", format: "int32", default: 90 },
        storageAccountResourceId: text,
        trafficAnalyticsInterval: { type: "string", enum: ["60m", "10m"], default: "60m" },
        trafficAnalyticsLogAnalyticsWorkspaceId: text,
        version: { type: "integer", enum: [1, 2], default: 2 },
      },
    },
  },
};

/** The operator's CRDs, without all of which it does not start. */
export const operatorDefinitions: readonly Manifest[] = [
  definition(resources.aroClusters, open),
  definition(resources.previewFeatures, previewFeatureSpec),
];

function definition({ group, version, kind, plural }: KubeResource, spec: Schema): Manifest {
  return manifest(
    resources.customResourceDefinitions,
    `${plural}.${group}`,
    {},
    {
      spec: {
        group,
        names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
        scope: "Cluster",
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: "object", properties: { spec, status: open } } },
          },
        ],
      },
    },
  );
}
