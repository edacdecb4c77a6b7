/** The Kubernetes whose stable kinds are served, and that `GET /version` names unless a cluster's owner says otherwise. */
export const kubernetesVersion = "1.32.9";

/** The kube-apiserver whose rules and words ours follows: the conformance suite runs against it. */
export const referenceVersion = "1.36";
