package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/remotecommand"
)

type kubeFacts struct {
	Nodes            int
	ClusterOperators int
	Events           []string
	Patched          string
	Conflict         bool
	Informed         []string
	ExecOutput       string
}

// runKube lists, watches, patches, keeps a cache and runs a command in a pod, as a controller's author would.
func runKube(ctx context.Context) (any, error) {
	facts := kubeFacts{}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{Limit: 2})
	for err == nil {
		facts.Nodes += len(nodes.Items)
		if nodes.Continue == "" {
			break
		}
		nodes, err = client.CoreV1().Nodes().List(ctx, metav1.ListOptions{Limit: 2, Continue: nodes.Continue})
	}
	if err != nil {
		return nil, err
	}
	anything, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	operators, err := anything.Resource(schema.GroupVersionResource{
		Group: "config.openshift.io", Version: "v1", Resource: "clusteroperators",
	}).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	facts.ClusterOperators = len(operators.Items)
	if err := watchAndPatch(ctx, client, &facts); err != nil {
		return nil, err
	}
	if err := inform(ctx, client, &facts); err != nil {
		return nil, err
	}
	return facts, runInPod(ctx, client, &facts)
}

func watchAndPatch(ctx context.Context, client kubernetes.Interface, facts *kubeFacts) error {
	maps := client.CoreV1().ConfigMaps("default")
	list, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	watch, err := maps.Watch(ctx, metav1.ListOptions{
		ResourceVersion: list.ResourceVersion, FieldSelector: "metadata.name=from-go",
	})
	if err != nil {
		return err
	}
	defer watch.Stop()
	made, err := maps.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "from-go"}, Data: map[string]string{"a": "1"},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	patched, err := maps.Patch(ctx, "from-go", types.StrategicMergePatchType, []byte(`{"data":{"b":"2"}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	facts.Patched = patched.Data["a"] + patched.Data["b"]
	_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
	facts.Conflict = apierrors.IsConflict(err)
	if err := maps.Delete(ctx, "from-go", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for len(facts.Events) < 3 {
		select {
		case event, open := <-watch.ResultChan():
			if !open {
				return fmt.Errorf("the watch ended after %v", facts.Events)
			}
			facts.Events = append(facts.Events, string(event.Type))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// An informer lists by a streaming watch where the server has it.
func inform(ctx context.Context, client kubernetes.Interface, facts *kubeFacts) error {
	stop := make(chan struct{})
	defer close(stop)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace("openshift-etcd"))
	pods := factory.Core().V1().Pods()
	informer := pods.Informer()
	factory.Start(stop)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the cache was not filled")
	}
	for _, each := range informer.GetStore().ListKeys() {
		facts.Informed = append(facts.Informed, each)
	}
	return nil
}

func runInPod(ctx context.Context, client *kubernetes.Clientset, facts *kubeFacts) error {
	pods, err := client.CoreV1().Pods("openshift-etcd").List(ctx, metav1.ListOptions{LabelSelector: "app=etcd"})
	if err != nil {
		return err
	}
	if len(pods.Items) == 0 {
		return fmt.Errorf("no pods of etcd")
	}
	pod := pods.Items[0]
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	request := client.CoreV1().RESTClient().Post().Resource("pods").Namespace(pod.Namespace).Name(pod.Name).
		SubResource("exec").VersionedParams(&corev1.PodExecOptions{
		Container: pod.Spec.Containers[0].Name, Command: []string{"echo", "from go"}, Stdout: true, Stderr: true,
	}, scheme.ParameterCodec)
	websocket, err := remotecommand.NewWebSocketExecutor(config, "GET", request.URL().String())
	if err != nil {
		return err
	}
	var stdout, stderr bytes.Buffer
	err = websocket.StreamWithContext(ctx, remotecommand.StreamOptions{Stdout: &stdout, Stderr: &stderr})
	facts.ExecOutput = stdout.String()
	return err
}
