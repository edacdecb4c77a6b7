/** Kubernetes version of the built-in kinds. `GET /version` returns it by default. */
export const kubernetesVersion = "1.32.9";

/** Version of kube-apiserver from which rules and messages are copied. The conformance suite runs against it. */
export const referenceVersion = "1.36";
