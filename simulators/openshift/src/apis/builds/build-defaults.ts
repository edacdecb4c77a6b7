import type { Admission } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt } from "@keelson/base";
import { buildGroup, defaultHistoryLimit } from "./build-refs.ts";

type Fields = Readonly<Record<string, unknown>>;

const strategies: readonly (readonly [field: string, type: string])[] = [
  ["dockerStrategy", "Docker"],
  ["sourceStrategy", "Source"],
  ["customStrategy", "Custom"],
  ["jenkinsPipelineStrategy", "JenkinsPipeline"],
];
const sources: readonly (readonly [field: string, type: string])[] = [
  ["git", "Git"],
  ["binary", "Binary"],
  ["dockerfile", "Dockerfile"],
  ["images", "Image"],
];
const buckets: ReadonlySet<string> = new Set([`${buildGroup}/buildconfigs`, `${buildGroup}/builds`]);

/**
 * Sets the run policy and history limits of BuildConfigs, and the types of strategies and sources. Source:
 * openshift/openshift-apiserver `pkg/build/apis/build/v1/conversion.go` and `pkg/build/apiserver/registry/buildconfig`.
 */
export const buildDefaults: Admission = {
  handles: ({ resource, operation, subresource }) =>
    buckets.has(resource.bucket) && operation !== "DELETE" && subresource === "",
  mutate: async ({ object }) => {
    if (!object) throw new Error("a write without an object");
    const spec = objectAt(object, "spec");
    const limitOf = (field: string) => ({ [field]: numberAt(spec, field) ?? defaultHistoryLimit });
    const ofConfig =
      object.kind === "BuildConfig"
        ? {
            runPolicy: stringAt(spec, "runPolicy") || "Serial",
            ...limitOf("successfulBuildsHistoryLimit"),
            ...limitOf("failedBuildsHistoryLimit"),
          }
        : {};
    return {
      ...object,
      spec: {
        ...spec,
        ...ofConfig,
        strategy: withType(objectAt(spec, "strategy"), strategies),
        source: withType(objectAt(spec, "source"), sources),
      },
    };
  },
  validate: async () => undefined,
};

/**
 * Sets `type` to the type of the first field in `types` that the object contains. A different type that a client has set is
 * replaced.
 */
function withType(fields: Fields, types: readonly (readonly [field: string, type: string])[]): Fields {
  const [, type = stringAt(fields, "type") || "None"] =
    types.find(([field]) => fields[field] !== undefined) ?? [];
  return { ...fields, type };
}
