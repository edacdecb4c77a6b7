/** Version of Kubernetes with these stable kinds. `GET /version` returns it by default. */
export const kubernetesVersion = "1.32.9";

/** Version of kube-apiserver that rules and messages are based on. The conformance suite runs against it. */
export const referenceVersion = "1.36";
