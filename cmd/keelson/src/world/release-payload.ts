import { manifests as apiserverManifests } from "@keelson/kube-apiserver-operator";
import { manifests as samplesManifests } from "@keelson/samples-operator";
import type { PayloadVersion, ReleaseManifest, ReleasePayload } from "@keelson/sim-openshift";
import type { OperatorMode } from "../options/options.ts";
import type { Pace } from "../state/pace.ts";

/** Images of a release's own components, which are simulated. */
const payloadImages = "quay.io/openshift-release-dev/ocp-v4.0-art-dev";

/** Manifests that the operators of this program add to a release. `image` is their common image. */
const operators: readonly ((
  release: PayloadVersion & { readonly image: string; readonly pace: Pace },
) => readonly ReleaseManifest[])[] = [
  ({ pace, ...release }) =>
    apiserverManifests({
      ...release,
      operandImage: `${payloadImages}:${release.version}-hyperkube`,
      // No load balancer of a simulated cluster needs time to notice a restart.
      ...(pace.kind === "fast" && { minReadySeconds: 0 }),
    }),
  ({ pace: _, ...release }) =>
    samplesManifests({ ...release, releaseImage: (name) => `${payloadImages}:${release.version}-${name}` }),
];

/** The manifests that releases of simulated clusters bring; none where pods of operators do nothing. */
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
