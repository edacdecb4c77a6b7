import { manifests as apiserverManifests } from "@keelson/kube-apiserver-operator";
import { manifests as samplesManifests } from "@keelson/samples-operator";
import type { PayloadVersion, ReleaseManifest, ReleasePayload } from "@keelson/sim-openshift";
import type { OperatorMode } from "../options/options.ts";
import type { Pace } from "../state/pace.ts";

/** Image of the release's own components. Their pods are simulated. */
const payloadImages = "quay.io/openshift-release-dev/ocp-v4.0-art-dev";

/** Functions that return the manifests of this program's operators in a release. All operators use the image `image`. */
const operators: readonly ((
  release: PayloadVersion & { readonly image: string; readonly pace: Pace },
) => readonly ReleaseManifest[])[] = [
  ({ pace, ...release }) =>
    apiserverManifests({
      ...release,
      operandImage: `${payloadImages}:${release.version}-hyperkube`,
      // At the pace `fast`, a node needs no minimum ready time. The load balancers of simulated clusters detect a restart
      // immediately.
      ...(pace.kind === "fast" && { minReadySeconds: 0 }),
    }),
  ({ pace: _, ...release }) =>
    samplesManifests({ ...release, releaseImage: (name) => `${payloadImages}:${release.version}-${name}` }),
];

/**
 * Returns a function that lists the operator manifests of a simulated release. Returns undefined if operator pods are not run.
 */
export function releasePayload(mode: OperatorMode, image: string, pace: Pace): ReleasePayload | undefined {
  if (mode === "none") return undefined;
  const read = new Map<string, readonly ReleaseManifest[]>();
  return (release) => {
    const known = read.get(release.version);
    if (known) return known;
    const manifests = operators.flatMap((manifestsOf) => manifestsOf({ ...release, image, pace }));
    read.set(release.version, manifests);
    return manifests;
  };
}
