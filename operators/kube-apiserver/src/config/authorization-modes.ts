const minimumKubeletVersionMode = "MinimumKubeletVersion";
const modes = ["Scope", "SystemMasters", "RBAC", "Node"];

/**
 * Returns the authorization modes in order. The first authorizer that allows or denies a request decides, so
 * `MinimumKubeletVersion` precedes `Node`.
 */
export function authorizationModes(isMinimumKubeletVersionEnabled: boolean): readonly string[] {
  return isMinimumKubeletVersionEnabled ? modes.toSpliced(-1, 0, minimumKubeletVersionMode) : modes;
}
