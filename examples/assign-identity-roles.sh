#!/bin/sh
# Assigns the roles that `az aro identity get-required` (az 2.91) lists. Each operator's identity gets its role on the network or
# the subnets. The cluster's identity gets a role on the identity of each operator. Requires the variables of `keelson az-env`,
# CLUSTER, and a token for Azure Resource Manager in TOKEN.
set -eu

group="/subscriptions/$AZURE_SUBSCRIPTION_ID/resourceGroups/$VNET_RESOURCEGROUP"
network="$group/providers/Microsoft.Network/virtualNetworks/vnet"
subnets="$network/subnets/$CLUSTER-master $network/subnets/$CLUSTER-worker"
identities="$group/providers/Microsoft.ManagedIdentity/userAssignedIdentities"

call() {
  curl -fsSk "$@" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'
}

# Usage: assign IDENTITY ROLE SCOPE
assign() {
  identity="$identities/$CLUSTER-$1?api-version=2023-01-31"
  principal=$(call "$ARM_ENDPOINT$identity" | sed 's/.*"principalId":"\([^"]*\)".*/\1/')
  role="/subscriptions/$AZURE_SUBSCRIPTION_ID/providers/Microsoft.Authorization/roleDefinitions/$2"
  name=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
  call -o /dev/null -X PUT "$ARM_ENDPOINT$3/providers/Microsoft.Authorization/roleAssignments/$name?api-version=2022-04-01" \
    -d '{"properties": {"principalId": "'"$principal"'", "roleDefinitionId": "'"$role"'", "principalType": "ServicePrincipal"}}'
}

for subnet in $subnets; do
  assign aro-operator 4436bae4-7702-4c84-919b-c4069ff25ee2 "$subnet"
  assign cloud-controller-manager a1f96423-95ce-4224-ab27-4e3dc72facd4 "$subnet"
  assign ingress 0336e1d3-7a87-462b-b6db-342b63f7802c "$subnet"
  assign machine-api 0358943c-7e01-48ba-8889-02cc51d78637 "$subnet"
done
assign cloud-network-config be7a6435-15ae-4171-8f30-4a343eff9e8f "$network"
assign file-csi-driver 0d7aedc0-15fd-4a67-a412-efad370c947e "$network"
assign image-registry 8b32b316-c2f5-4ddf-b05b-83dacd2d08b5 "$network"
for operator in aro-operator cloud-controller-manager cloud-network-config disk-csi-driver file-csi-driver \
  image-registry ingress machine-api; do
  assign cluster ef318e2a-8334-4a05-9e4a-295a196c6a6e "$identities/$CLUSTER-$operator"
done
