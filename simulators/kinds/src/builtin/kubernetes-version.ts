/** Kubernetes version of the built-in kinds. By default, `GET /version` returns this version. */
export const kubernetesVersion = "1.32.9";

/** Version of kube-apiserver from which rules and messages are copied. The conformance suite also runs against this version. */
export const referenceVersion = "1.36";
