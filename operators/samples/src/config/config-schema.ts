import { Type } from "typebox";

const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const managementState = (description: string) =>
  Type.Optional(Type.String({ pattern: "^(Managed|Unmanaged|Force|Removed)$", description }));

/** A DNS subdomain: labels with dots between them. */
const subdomain = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

const settings = {
  samplesRegistry: text(
    "registry that replaces those of imagestreams' images: host, host:port, or either with a path",
  ),
  architectures: texts(
    "architectures of the samples: x86_64, amd64, arm64, ppc64le or s390x. Immutable while samples exist. Only the first is used",
  ),
  skippedImagestreams: texts("imagestreams of the catalogue that are left as they are"),
  skippedTemplates: texts("templates of the catalogue that are left as they are"),
};

/** Spec of a Config. Rejects the same values as openshift/api. */
export const configSpec = Type.Object(
  {
    managementState: managementState(
      "Managed: samples are kept as the catalogue has them; Unmanaged: they are left alone; Removed: there are none; others count as Managed",
    ),
    ...settings,
    skippedHelmCharts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        description: "names of Helm charts; nothing reads them",
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
  { description: "which samples the cluster has" },
);

const time = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

export const configStatus = Type.Object(
  {
    managementState: managementState("the state that was last entered whole"),
    conditions: Type.Optional(
      Type.Array(
        Type.Object({
          type: Type.String({ description: "name of the condition in CamelCase" }),
          status: Type.String({ description: "True, False or Unknown" }),
          reason: text("why, as one word in CamelCase"),
          message: text("why, for people"),
          lastUpdateTime: time("when the condition was last written"),
          lastTransitionTime: time("when its status last changed"),
        }),
        { description: "how it stands with samples, settings and imports" },
      ),
    ),
    ...settings,
    version: text("last release with completely installed samples"),
  },
  { description: "what the operator did last: settings are those that it followed" },
);
