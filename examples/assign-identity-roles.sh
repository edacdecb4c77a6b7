#!/bin/sh
# Gives the managed identities of $CLUSTER the roles that `az aro create --enable-managed-identity` gives them: operators
# theirs on the network, the cluster's own one the right to let the operators act as theirs. Needs the variables of
# `keelson az-env`, CLUSTER, and a token of Azure Resource Manager in TOKEN.
set -eu

group="/subscriptions/$AZURE_SUBSCRIPTION_ID/resourceGroups/$VNET_RESOURCEGROUP"
network="$group/providers/Microsoft.Network/virtualNetworks/vnet"

call() {
  curl -fsSk "$@" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'
}

# assign IDENTITY ROLE SCOPE
assign() {
  identity="$group/providers/Microsoft.ManagedIdentity/userAssignedIdentities/$CLUSTER-$1?api-version=2023-01-31"
  principal=$(call "$ARM_ENDPOINT$identity" | sed 's/.*"principalId":"\([^"]*\)".*/\1/')
  role="/subscriptions/$AZURE_SUBSCRIPTION_ID/providers/Microsoft.Authorization/roleDefinitions/$2"
  name=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
  call -o /dev/null -X PUT "$ARM_ENDPOINT$3/providers/Microsoft.Authorization/roleAssignments/$name?api-version=2022-04-01" \
    -d '{"properties": {"principalId": "'"$principal"'", "roleDefinitionId": "'"$role"'", "principalType": "ServicePrincipal"}}'
}

assign aro-operator 4436bae4-7702-4c84-919b-c4069ff25ee2 "$network"
assign cloud-controller-manager a1f96423-95ce-4224-ab27-4e3dc72facd4 "$network"
assign cloud-network-config be7a6435-15ae-4171-8f30-4a343eff9e8f "$network"
assign disk-csi-driver 5b7237c5-45e1-49d6-bc18-a1f62f400748 "$network"
assign file-csi-driver 0d7aedc0-15fd-4a67-a412-efad370c947e "$network"
assign image-registry 8b32b316-c2f5-4ddf-b05b-83dacd2d08b5 "$network"
assign ingress 0336e1d3-7a87-462b-b6db-342b63f7802c "$network"
assign machine-api 0358943c-7e01-48ba-8889-02cc51d78637 "$network"
assign cluster ef318e2a-8334-4a05-9e4a-295a196c6a6e "$group"
