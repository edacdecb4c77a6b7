import { Type } from "typebox";

const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const managementState = (description: string) =>
  Type.Optional(Type.String({ pattern: "^(Managed|Unmanaged|Force|Removed)$", description }));

/** Matches a DNS subdomain: labels that are separated by dots. */
const subdomain = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

const settings = {
  samplesRegistry: text(
    "registry that replaces those of imagestreams' images: host, host:port, or either with a path",
  ),
  architectures: texts(
    "architectures of the samples: x86_64, amd64, arm64, ppc64le or s390x. Immutable while samples exist. Only the first is used",
  ),
  skippedImagestreams: texts("imagestreams of the catalogue that the operator does not change"),
  skippedTemplates: texts("templates of the catalogue that the operator does not change"),
};

/** Schema of a Config's spec. It rejects the same values as openshift/api. */
export const configSpec = Type.Object(
  {
    managementState: managementState(
      "Managed: samples are installed and repaired. Unmanaged: samples are not changed. Removed: samples are deleted. Other values count as Managed",
    ),
    ...settings,
    skippedHelmCharts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        description: "names of Helm charts. They have no effect",
        maxItems: 16,
        "x-kubernetes-list-type": "set",
        "x-kubernetes-validations": [
          {
            rule: `self.all(x, x.matches('${subdomain}'))`,
            message:
              "skippedHelmCharts must be a valid Kubernetes resource name. May contain only lowercase alphanumeric characters, hyphens and periods, and each period separated segment must begin and end with an alphanumeric character",
          },
        ],
      }),
    ),
  },
  { description: "desired samples of the cluster" },
);

const time = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

export const configStatus = Type.Object(
  {
    managementState: managementState("last management state that was applied completely"),
    conditions: Type.Optional(
      Type.Array(
        Type.Object({
          type: Type.String({ description: "name of the condition in CamelCase" }),
          status: Type.String({ description: "True, False or Unknown" }),
          reason: text("reason of the status in CamelCase"),
          message: text("human-readable message"),
          lastUpdateTime: time("time of the last write"),
          lastTransitionTime: time("time of the last status change"),
        }),
        { description: "conditions of samples, settings and imports" },
      ),
    ),
    ...settings,
    version: text("last release with completely installed samples"),
  },
  { description: "last result of the operator, with the settings that it applied" },
);
