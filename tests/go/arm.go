package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/redhatopenshift/armredhatopenshift"
)

type armFacts struct {
	Created, Updated string
	Version          string
	Tags             map[string]*string
	Listed           []string
	ListedInGroup    []string
	Versions         int
	KubeadminUser    string
	KubeconfigBytes  int
	AfterDelete      string
	Statuses         []string
}

// What each change was answered with: the SDK takes some statuses for errors.
type recorder struct{ statuses *[]string }

func (r recorder) Do(req *policy.Request) (*http.Response, error) {
	response, err := req.Next()
	if err == nil && req.Raw().Method != http.MethodGet {
		*r.statuses = append(*r.statuses, fmt.Sprintf("%s %d", req.Raw().Method, response.StatusCode))
	}
	return response, err
}

// runArm creates, reads, lists, updates and deletes a cluster, as a service principal.
func runArm(ctx context.Context) (any, error) {
	facts := armFacts{}
	endpoints := cloud.Configuration{
		ActiveDirectoryAuthorityHost: os.Getenv("LOGIN"),
		Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
			cloud.ResourceManager: {Endpoint: os.Getenv("ARM"), Audience: "https://management.azure.com"},
		},
	}
	core := azcore.ClientOptions{Cloud: endpoints, PerCallPolicies: []policy.Policy{recorder{&facts.Statuses}}}
	credential, err := azidentity.NewClientSecretCredential(
		os.Getenv("AZURE_TENANT_ID"), os.Getenv("AZURE_CLIENT_ID"), os.Getenv("AZURE_CLIENT_SECRET"),
		&azidentity.ClientSecretCredentialOptions{
			ClientOptions:            azcore.ClientOptions{Cloud: endpoints},
			DisableInstanceDiscovery: true,
		})
	if err != nil {
		return nil, err
	}
	factory, err := armredhatopenshift.NewClientFactory(
		os.Getenv("AZURE_SUBSCRIPTION_ID"), credential, &arm.ClientOptions{ClientOptions: core})
	if err != nil {
		return nil, err
	}
	clusters := factory.NewOpenShiftClustersClient()
	name := os.Getenv("CLUSTER")
	poll := &runtime.PollUntilDoneOptions{Frequency: time.Second}

	creation, err := clusters.BeginCreateOrUpdate(ctx, name, name, newCluster(name), nil)
	if err != nil {
		return nil, err
	}
	created, err := creation.PollUntilDone(ctx, poll)
	if err != nil {
		return nil, err
	}
	facts.Created = string(*created.Properties.ProvisioningState)

	found, err := clusters.Get(ctx, name, name, nil)
	if err != nil {
		return nil, err
	}
	facts.Version = *found.Properties.ClusterProfile.Version

	all := clusters.NewListPager(nil)
	for all.More() {
		page, err := all.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, each := range page.Value {
			facts.Listed = append(facts.Listed, *each.Name)
		}
	}
	inGroup := clusters.NewListByResourceGroupPager(name, nil)
	for inGroup.More() {
		page, err := inGroup.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, each := range page.Value {
			facts.ListedInGroup = append(facts.ListedInGroup, *each.Name)
		}
	}
	versions := factory.NewOpenShiftVersionsClient().NewListPager(os.Getenv("LOCATION"), nil)
	for versions.More() {
		page, err := versions.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		facts.Versions += len(page.Value)
	}

	update, err := clusters.BeginUpdate(ctx, name, name, armredhatopenshift.OpenShiftClusterUpdate{
		Tags: map[string]*string{"from": to.Ptr("go")},
	}, nil)
	if err != nil {
		return nil, err
	}
	updated, err := update.PollUntilDone(ctx, poll)
	if err != nil {
		return nil, err
	}
	facts.Updated = string(*updated.Properties.ProvisioningState)
	facts.Tags = updated.Tags

	credentials, err := clusters.ListCredentials(ctx, name, name, nil)
	if err != nil {
		return nil, err
	}
	facts.KubeadminUser = *credentials.KubeadminUsername
	admin, err := clusters.ListAdminCredentials(ctx, name, name, nil)
	if err != nil {
		return nil, err
	}
	facts.KubeconfigBytes = len(*admin.Kubeconfig)

	deletion, err := clusters.BeginDelete(ctx, name, name, nil)
	if err != nil {
		return nil, err
	}
	if _, err := deletion.PollUntilDone(ctx, poll); err != nil {
		return nil, err
	}
	var gone *azcore.ResponseError
	if _, err := clusters.Get(ctx, name, name, nil); errors.As(err, &gone) {
		facts.AfterDelete = gone.ErrorCode
	}
	return facts, nil
}

func newCluster(name string) armredhatopenshift.OpenShiftCluster {
	subscription := "/subscriptions/" + os.Getenv("AZURE_SUBSCRIPTION_ID")
	subnets := subscription + "/resourceGroups/" + os.Getenv("VNET_RESOURCEGROUP") +
		"/providers/Microsoft.Network/virtualNetworks/vnet/subnets/" + name
	return armredhatopenshift.OpenShiftCluster{
		Location: to.Ptr(os.Getenv("LOCATION")),
		Properties: &armredhatopenshift.OpenShiftClusterProperties{
			ClusterProfile: &armredhatopenshift.ClusterProfile{
				Domain:               to.Ptr(name),
				ResourceGroupID:      to.Ptr(subscription + "/resourceGroups/aro-" + name),
				FipsValidatedModules: to.Ptr(armredhatopenshift.FipsValidatedModulesDisabled),
			},
			ServicePrincipalProfile: &armredhatopenshift.ServicePrincipalProfile{
				ClientID:     to.Ptr(os.Getenv("CLUSTER_CLIENT_ID")),
				ClientSecret: to.Ptr(os.Getenv("CLUSTER_CLIENT_SECRET")),
			},
			NetworkProfile: &armredhatopenshift.NetworkProfile{
				PodCidr:     to.Ptr("10.128.0.0/14"),
				ServiceCidr: to.Ptr("172.30.0.0/16"),
			},
			MasterProfile: &armredhatopenshift.MasterProfile{
				VMSize:           to.Ptr("Standard_D8s_v5"),
				EncryptionAtHost: to.Ptr(armredhatopenshift.EncryptionAtHostDisabled),
				SubnetID:         to.Ptr(subnets + "-master"),
			},
			WorkerProfiles: []*armredhatopenshift.WorkerProfile{{
				Name:             to.Ptr("worker"),
				VMSize:           to.Ptr("Standard_D4s_v5"),
				DiskSizeGB:       to.Ptr[int32](128),
				EncryptionAtHost: to.Ptr(armredhatopenshift.EncryptionAtHostDisabled),
				SubnetID:         to.Ptr(subnets + "-worker"),
				Count:            to.Ptr[int32](3),
			}},
			ApiserverProfile: &armredhatopenshift.APIServerProfile{
				Visibility: to.Ptr(armredhatopenshift.VisibilityPublic),
			},
			IngressProfiles: []*armredhatopenshift.IngressProfile{{
				Name:       to.Ptr("default"),
				Visibility: to.Ptr(armredhatopenshift.VisibilityPublic),
			}},
		},
	}
}
