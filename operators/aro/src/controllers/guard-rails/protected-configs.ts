const ofEachRole = (role: string) => [
  `00-${role}`,
  `01-${role}-container-runtime`,
  `01-${role}-kubelet`,
  `97-${role}-generated-kubelet`,
  `98-${role}-generated-kubelet`,
  `99-${role}-aro-dns`,
  `99-${role}-aro-etc-hosts-gateway-domains`,
  `99-${role}-generated-kubelet`,
  `99-${role}-generated-registries`,
  `99-${role}-ssh`,
];

/** MachineConfigs that the platform and the service manage. */
export const protectedConfigs: readonly string[] = [
  ...["master", "worker"].flatMap(ofEachRole),
  "90-aro-worker-registries",
];
