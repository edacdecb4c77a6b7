import type { KubeObject } from "@keelson/kube";
import { architectureDirectory } from "../content/architecture-directory.ts";
import { isRegistryAllowed } from "./registry-rules.ts";
import type { SamplesSettings } from "./samples-settings.ts";

const supported = "x86_64,amd64,arm64,ppc64le,s390x";

/** Condition reason of all invalid settings, as in OpenShift's Go operator. */
const reason = "GlobalImageStreamConfigRegistryMismatch";

/** Reason why settings are invalid. Clients parse the message, so it has the wording of OpenShift's Go operator. */
export interface InvalidSettings {
  readonly reason: string;
  readonly message: string;
}

/**
 * Checks new settings. The architectures must be supported and must not differ from the processed settings. Image `cluster` must
 * allow the registry. Returns `undefined` if the settings are valid.
 */
export function invalidSettings(
  settings: SamplesSettings,
  processed: SamplesSettings | undefined,
  image: KubeObject | undefined,
): InvalidSettings | undefined {
  const unknown = settings.architectures.find((each) => architectureDirectory(each) === undefined);
  if (unknown !== undefined)
    return {
      reason,
      message: `architecture ${unknown} unsupported; only support ${supported}`,
    };
  const [before, now] = [processed?.architectures ?? [], settings.architectures];
  if (before.length > 0 && !isSameList(before, now)) {
    const text = (list: readonly string[]) =>
      before.length === now.length
        ? list.join(" ")
        : `[]string{${list.map((each) => JSON.stringify(each)).join(", ")}}`;
    return {
      reason,
      message: `cannot change architectures from ${text(before)} to ${text(now)}`,
    };
  }
  if (isRegistryAllowed(image, settings.samplesRegistry)) return undefined;
  return {
    reason,
    message: `global openshift image configuration prevents the creation of imagestreams using the registry ${settings.samplesRegistry}`,
  };
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
