const minimumKubeletVersionMode = "MinimumKubeletVersion";
const modes = ["Scope", "SystemMasters", "RBAC", "Node"];

/** In their order: the first authorizer with an opinion decides, so that of the kubelets' versions precedes `Node`. */
export function authorizationModes(isMinimumKubeletVersionEnabled: boolean): readonly string[] {
  return isMinimumKubeletVersionEnabled ? modes.toSpliced(-1, 0, minimumKubeletVersionMode) : modes;
}
