# Network, managed identities, role assignments and a cluster for Terraform or OpenTofu with the provider azapi.
# docs/azure-clients.md describes the environment variables.
terraform {
  required_providers {
    azapi = { source = "azure/azapi" }
  }
}

variable "name" {
  type        = string
  default     = "terraform"
  description = "Name of the resource group and the cluster"
}

variable "location" {
  type    = string
  default = "eastus"
}

variable "provider_object_id" {
  type        = string
  description = "Object ID of the service principal of the resource provider"
}

variable "tags" {
  type    = map(string)
  default = {}
}

data "azapi_client_config" "current" {}

locals {
  subscription = "/subscriptions/${data.azapi_client_config.current.subscription_id}"
  roles        = "${local.subscription}/providers/Microsoft.Authorization/roleDefinitions"
  operators = {
    aro-operator             = "4436bae4-7702-4c84-919b-c4069ff25ee2"
    cloud-controller-manager = "a1f96423-95ce-4224-ab27-4e3dc72facd4"
    cloud-network-config     = "be7a6435-15ae-4171-8f30-4a343eff9e8f"
    disk-csi-driver          = "5b7237c5-45e1-49d6-bc18-a1f62f400748"
    file-csi-driver          = "0d7aedc0-15fd-4a67-a412-efad370c947e"
    image-registry           = "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5"
    ingress                  = "0336e1d3-7a87-462b-b6db-342b63f7802c"
    machine-api              = "0358943c-7e01-48ba-8889-02cc51d78637"
  }
}

resource "azapi_resource" "group" {
  type      = "Microsoft.Resources/resourceGroups@2024-03-01"
  parent_id = local.subscription
  name      = var.name
  location  = var.location
  tags      = var.tags
}

resource "azapi_resource" "network" {
  type      = "Microsoft.Network/virtualNetworks@2024-05-01"
  parent_id = azapi_resource.group.id
  name      = "${var.name}-vnet"
  location  = var.location
  tags      = var.tags
  body      = { properties = { addressSpace = { addressPrefixes = ["10.0.0.0/22"] } } }
}

resource "azapi_resource" "subnet" {
  for_each  = { master = "10.0.0.0/23", worker = "10.0.2.0/23" }
  type      = "Microsoft.Network/virtualNetworks/subnets@2024-05-01"
  parent_id = azapi_resource.network.id
  name      = each.key
  locks     = [azapi_resource.network.id]
  body      = { properties = { addressPrefix = each.value } }
}

resource "azapi_resource" "identity" {
  for_each               = toset(concat(keys(local.operators), ["cluster"]))
  type                   = "Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31"
  parent_id              = azapi_resource.group.id
  name                   = each.key
  location               = var.location
  tags                   = var.tags
  response_export_values = ["properties.principalId"]
}

# Rights of the operators on the network.
resource "azapi_resource" "operator_role" {
  for_each  = local.operators
  type      = "Microsoft.Authorization/roleAssignments@2022-04-01"
  parent_id = azapi_resource.network.id
  name      = uuidv5("url", "${azapi_resource.network.id}/${each.key}")
  body = {
    properties = {
      principalId      = azapi_resource.identity[each.key].output.properties.principalId
      roleDefinitionId = "${local.roles}/${each.value}"
      principalType    = "ServicePrincipal"
    }
  }
}

# Rights of the cluster's identity on the operators' identities.
resource "azapi_resource" "federated_role" {
  for_each  = local.operators
  type      = "Microsoft.Authorization/roleAssignments@2022-04-01"
  parent_id = azapi_resource.identity[each.key].id
  name      = uuidv5("url", "${azapi_resource.identity[each.key].id}/cluster")
  body = {
    properties = {
      principalId      = azapi_resource.identity["cluster"].output.properties.principalId
      roleDefinitionId = "${local.roles}/ef318e2a-8334-4a05-9e4a-295a196c6a6e"
      principalType    = "ServicePrincipal"
    }
  }
}

# Rights of the resource provider on the network.
resource "azapi_resource" "provider_role" {
  type      = "Microsoft.Authorization/roleAssignments@2022-04-01"
  parent_id = azapi_resource.network.id
  name      = uuidv5("url", "${azapi_resource.network.id}/provider")
  body = {
    properties = {
      principalId      = var.provider_object_id
      roleDefinitionId = "${local.roles}/4d97b98b-1d4f-4787-a291-c67834d212e7"
      principalType    = "ServicePrincipal"
    }
  }
}

resource "azapi_resource" "cluster" {
  type      = "Microsoft.RedHatOpenShift/openShiftClusters@2025-07-25"
  parent_id = azapi_resource.group.id
  name      = var.name
  location  = var.location
  tags      = var.tags
  # Azure returns `/resourcegroups/` in lower case.
  ignore_casing = true
  identity {
    type         = "UserAssigned"
    identity_ids = [azapi_resource.identity["cluster"].id]
  }
  body = {
    properties = {
      clusterProfile = {
        domain               = var.name
        resourceGroupId      = "${local.subscription}/resourceGroups/aro-${var.name}"
        fipsValidatedModules = "Disabled"
      }
      networkProfile = { podCidr = "10.128.0.0/14", serviceCidr = "172.30.0.0/16" }
      masterProfile = {
        vmSize           = "Standard_D8s_v5"
        subnetId         = azapi_resource.subnet["master"].id
        encryptionAtHost = "Disabled"
      }
      workerProfiles = [{
        name             = "worker"
        vmSize           = "Standard_D4s_v5"
        diskSizeGB       = 128
        subnetId         = azapi_resource.subnet["worker"].id
        count            = 3
        encryptionAtHost = "Disabled"
      }]
      apiserverProfile = { visibility = "Public" }
      ingressProfiles  = [{ name = "default", visibility = "Public" }]
      platformWorkloadIdentityProfile = {
        platformWorkloadIdentities = {
          for name in keys(local.operators) : name => { resourceId = azapi_resource.identity[name].id }
        }
      }
    }
  }
  response_export_values = ["properties.consoleProfile.url"]
  depends_on             = [azapi_resource.operator_role, azapi_resource.federated_role, azapi_resource.provider_role]
}

output "console_url" {
  value = azapi_resource.cluster.output.properties.consoleProfile.url
}
