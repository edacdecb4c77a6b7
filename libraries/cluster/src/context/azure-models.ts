import type { AzureClients } from "@keelson/azure";

type Network = AzureClients["network"];

/** Types of Azure resources from the SDKs, under the names in Azure's documentation. */
export type Subnet = Awaited<ReturnType<Network["subnets"]["get"]>>;
export type VirtualNetwork = Awaited<ReturnType<Network["virtualNetworks"]["get"]>>;
export type NetworkSecurityGroup = Awaited<ReturnType<Network["networkSecurityGroups"]["get"]>>;
export type LoadBalancer = Awaited<ReturnType<Network["loadBalancers"]["get"]>>;
export type PublicIPAddress = Awaited<ReturnType<Network["publicIPAddresses"]["get"]>>;
export type NetworkInterface = Awaited<ReturnType<Network["networkInterfaces"]["get"]>>;
export type RecordSet = Awaited<ReturnType<AzureClients["dns"]["recordSets"]["get"]>>;
export type ResourceGroup = Awaited<ReturnType<AzureClients["resources"]["resourceGroups"]["get"]>>;
